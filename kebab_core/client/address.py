"""Where the other kebab is, and the bearer that goes there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from kebab_core.errors import InvalidInput, PermissionDenied
from kebab_core.settings.catalogue import TOKEN_VARIABLE
from kebab_core.settings.keys import is_near
from kebab_core.text.clean import for_display


@dataclass(frozen=True, slots=True)
class Address:
    """`url` has no final slash, no user and no query."""

    url: str
    token: str = field(repr=False)


def checked(url: str, env: Mapping[str, str]) -> Address:
    """The address with the token of the environment. Raises InvalidInput, PermissionDenied."""
    hint = "Give the address that `kebab serve` printed, such as `http://127.0.0.1:8765`."
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise InvalidInput(f"{for_display(url)} is no address.", hint) from None
    if parts.scheme not in ("http", "https") or not host:
        raise InvalidInput(f"{for_display(url)} is no http(s) address.", hint)
    if parts.username is not None or parts.query or parts.fragment:
        raise InvalidInput(
            "The address of a remote kebab holds no user, no query and no token.",
            f"Give the address alone; the token is read from {TOKEN_VARIABLE}.",
        )
    token = env.get(TOKEN_VARIABLE, "").strip()
    if not token:
        raise PermissionDenied(
            "A remote kebab wants to know who asks, and there is no token.",
            f"Set {TOKEN_VARIABLE}: what `kebab serve` printed after the #, or your provider's.",
        )
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise InvalidInput(f"{TOKEN_VARIABLE} holds no token.", "Set it to the token alone.")
    if parts.scheme == "http" and not is_near(host):
        raise PermissionDenied(
            f"The token isn't sent to {for_display(host)} over plain http, where others can "
            "read it.",
            "Use its https address.",
        )
    shown = f"[{host}]" if ":" in host else host
    place = shown if port is None else f"{shown}:{port}"
    return Address(f"{parts.scheme}://{place}{parts.path.rstrip('/')}", token)
