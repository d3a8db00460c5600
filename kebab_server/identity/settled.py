"""Which identity the settings ask for, and where the service may listen with it."""

from __future__ import annotations

import ipaddress
from importlib.util import find_spec
from urllib.parse import urlsplit

from kebab_core import api
from kebab_server.clock import Clock
from kebab_server.identity.jwt_tokens import JWTTokens
from kebab_server.identity.local_token import FILE, LocalToken, read_or_make
from kebab_server.identity.principal import Identity

SIGNATURES = frozenset(
    f"{kind}{bits}" for kind in ("RS", "ES", "PS") for bits in (256, 384, 512)
) | {"EdDSA"}
"""Those that a public key can check. A shared secret has no place in a published key set."""


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address to listen on."""
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def settle(configuration: api.Configuration, clock: Clock) -> tuple[Identity, str | None]:
    """Who may ask, and the local token where it is that. Raises a KebabError.

    Listening beyond this machine with the local token must be asked for by name.
    """
    serve = configuration.settings.serve
    if serve.jwt.jwks_url:
        _check_jwt(configuration.settings)
        return JWTTokens(configuration.settings, clock), None
    if not is_loopback(serve.host) and not serve.allow_remote_without_jwks:
        raise api.ConfigInvalid(
            f"Listening on {serve.host} lets other machines in, and there is no identity "
            "provider to tell who they are.",
            "Set [serve.jwt] jwks_url, issuer and audience; or, if one token for all is what you "
            "want, `--allow-remote-without-jwks`.",
        )
    token = read_or_make(configuration.workspace.directory / FILE)
    return LocalToken(token), token


def _check_jwt(settings: api.Settings) -> None:
    section = settings.serve.jwt
    missing = [name for name in ("issuer", "audience") if not getattr(section, name)]
    if missing:
        raise api.ConfigInvalid(
            f"[serve.jwt] has a jwks_url and no {' and no '.join(missing)}: any token of that "
            "provider would be let in.",
            f"Set [serve.jwt] {' and '.join(missing)}.",
        )
    wrong = sorted(set(section.algorithms) - SIGNATURES)
    if wrong or not section.algorithms:
        raise api.ConfigInvalid(
            f"[serve.jwt] algorithms holds {', '.join(wrong) or 'nothing'}.",
            f"Choose from {', '.join(sorted(SIGNATURES))}.",
        )
    address = urlsplit(section.jwks_url)
    if address.scheme != "https" and not is_loopback(address.hostname or ""):
        raise api.ConfigInvalid(
            "[serve.jwt] jwks_url is plain http: whoever sits between could hand out keys.",
            "Use its https address.",
        )
    if find_spec("jwt") is None or find_spec("cryptography") is None:
        raise api.ConfigInvalid(
            "Bearers of an identity provider need a package that isn't installed.",
            "Run `pip install 'kebab[jwt]'`.",
        )
