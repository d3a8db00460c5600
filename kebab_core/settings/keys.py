"""Which key goes where.

A key belongs to its provider's own host. It goes to another address only where the person's own
settings name a variable for it (`api_key_env`; an untrusted project file can't, since its
`providers` are left out when settings are loaded). `openai-compatible` has no host of its own: it
takes `ASK_API_KEY`, else what `api_key_env` names. No key travels over plain http, except to
loopback and private addresses, or where `allow_plain_http` says so.

Names are not looked up: a name that leads to a private address today may lead elsewhere
tomorrow, so only `localhost` and addresses written as numbers count as near.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from kebab_core.errors import ConfigInvalid, ModelRefused
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.model import ProviderSection
from kebab_core.text.clean import for_display

ANY_SERVER = "openai-compatible"
ANY_SERVER_VARIABLE = "ASK_API_KEY"


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a provider is by itself. `needs_key`: it answers nobody without one."""

    base_url: str
    variable: str | None = None
    host: str | None = None
    needs_key: bool = False


PROVIDERS: Mapping[str, Provider] = {
    ANY_SERVER: Provider(base_url=""),
    "ollama": Provider("http://127.0.0.1:11434", "OLLAMA_API_KEY", "ollama.com"),
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", "api.openai.com", True),
    "anthropic": Provider(
        "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "api.anthropic.com", True
    ),
    "openrouter": Provider(
        "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", "openrouter.ai", True
    ),
    "workers-ai": Provider(
        "https://api.cloudflare.com/client/v4/accounts/{account}/ai/v1",
        "CLOUDFLARE_API_TOKEN",
        "api.cloudflare.com",
        True,
    ),
}
"""Each provider's documented base address and usual variable. `host` is where the variable's key
may go; for `ollama` that is its cloud, not the server on one's own machine."""

# Stricter than what HTTP clients take: an address that two parsers could read differently
# (`http://127.0.0.1@elsewhere`, a backslash, letters beyond ASCII) gets no key.
_PLAIN_ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?P<port>\d{1,5}))?(?:[/?#].*)?",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)
_PRIVATE = tuple(
    ipaddress.ip_network(net)
    # Loopback; RFC 1918; RFC 4193. Link-local is left out: cloud metadata servers live there.
    for net in (
        *("127.0.0.0/8", "::1/128"),
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
    )
)


@dataclass(frozen=True, slots=True)
class KeyDecision:
    """`key` is sent as it is, None for no key. `reason` says why a key that is there stays home."""

    key: str | None = field(default=None, repr=False)
    variable: str | None = None
    reason: str | None = None


def default_base_url(provider: str, configuration: Configuration) -> str:
    """Where `provider` is reached, without a final slash: what the settings say, else its own.

    Raises ConfigInvalid where that takes a setting which isn't there.
    """
    section = section_of(provider, configuration)
    if section.base_url:
        return section.base_url.rstrip("/")
    own = PROVIDERS[provider].base_url
    if not own:
        raise ConfigInvalid(
            f"`providers.{provider}.base_url` isn't set, so {provider} can't be reached.",
            "Set it, or KEBAB_BASE_URL, to the server's address: http://127.0.0.1:8080/v1",
        )
    if "{account}" not in own:
        return own
    account = configuration.settings.providers.workers_ai.account
    if not account:
        raise ConfigInvalid(
            "`providers.workers-ai.account` isn't set, so Workers AI can't be reached.",
            "Set it to the account's id.",
        )
    return own.replace("{account}", account)


def key_for(
    provider: str,
    base_url: str,
    configuration: Configuration,
    env: Mapping[str, str] | None = None,
) -> str | None:
    """The key to send to `base_url`, None for none.

    Raises ModelRefused, naming the variable, where a key is a must and isn't there or may not go
    there; ConfigInvalid for an unknown provider. `env` is the process's own unless given.
    """
    return decide(provider, base_url, configuration, env).key


def decide(
    provider: str,
    base_url: str,
    configuration: Configuration,
    env: Mapping[str, str] | None = None,
) -> KeyDecision:
    """As `key_for`, with the reason: when a server answers 401, it is what to tell."""
    env = os.environ if env is None else env
    section = section_of(provider, configuration)
    own = PROVIDERS[provider]
    address = _PLAIN_ADDRESS.fullmatch(base_url)
    at_home = address is not None and _is_home(own, address)
    variable = _variable(provider, section, at_home=at_home, env=env)
    required = bool(section.api_key_env) or (at_home and own.needs_key)
    if variable is None:
        return KeyDecision(reason=_left_home(own, provider, base_url, env))
    key = env.get(variable, "").strip()
    if not key:
        if required:
            raise ModelRefused(
                f"{provider} needs a key, and {variable} isn't set.",
                f"Set {variable}, or ask with `--model quote`, which needs no key.",
                details={"variable": variable},
            )
        return KeyDecision(variable=variable)
    if not (key.isascii() and key.isprintable()):
        raise ModelRefused(
            f"The value of {variable} holds characters that can't be in a key.",
            f"Set {variable} again.",
            details={"variable": variable},
        )
    reason = _unsafe(address, section, variable, provider, base_url)
    if reason is None:
        return KeyDecision(key, variable)
    if required:
        raise ModelRefused(
            reason,
            f"Use https, or set `providers.{provider}.allow_plain_http = true`.",
            details={"variable": variable},
        )
    return KeyDecision(variable=variable, reason=reason)


def section_of(provider: str, configuration: Configuration) -> ProviderSection:
    """The settings of a provider. Raises ConfigInvalid for one that doesn't exist."""
    if provider not in PROVIDERS:
        raise ConfigInvalid(
            f"There is no provider {for_display(provider)!r}.",
            f"Providers are {', '.join(PROVIDERS)}, and quote.",
        )
    section: ProviderSection = getattr(configuration.settings.providers, provider.replace("-", "_"))
    return section


def key_variables(configuration: Configuration) -> tuple[str, ...]:
    """All variables that a key may be taken from, in a fixed order."""
    usual = [own.variable for own in PROVIDERS.values() if own.variable]
    named = [section_of(provider, configuration).api_key_env for provider in PROVIDERS]
    return tuple(dict.fromkeys([ANY_SERVER_VARIABLE, *usual, *(one for one in named if one)]))


def is_near(host: str) -> bool:
    """Whether `host` is this machine or a private network, as written, nothing looked up."""
    name = host.removesuffix(".").lower()
    if name == "localhost" or name.endswith(".localhost"):  # RFC 6761: loopback, always
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None) or address
    return any(mapped in net for net in _PRIVATE if net.version == mapped.version)


def _variable(
    provider: str, section: ProviderSection, *, at_home: bool, env: Mapping[str, str]
) -> str | None:
    """The variable whose key may go there, None where none may."""
    if provider == ANY_SERVER:
        if env.get(ANY_SERVER_VARIABLE, "").strip() or not section.api_key_env:
            return ANY_SERVER_VARIABLE
        return section.api_key_env
    if section.api_key_env:
        return section.api_key_env
    return PROVIDERS[provider].variable if at_home else None


def _is_home(own: Provider, address: re.Match[str]) -> bool:
    """The provider's own host, at the usual port of the scheme."""
    usual = "443" if address["scheme"].lower() == "https" else "80"
    host = address["host"].lower().removesuffix(".")
    return host == own.host and address["port"] in (None, usual)


def _left_home(own: Provider, provider: str, base_url: str, env: Mapping[str, str]) -> str | None:
    if not own.variable or not env.get(own.variable):
        return None
    return (
        f"{own.variable} isn't sent to {_host(base_url)}: that isn't {provider}'s own host, and "
        f"`providers.{provider}.api_key_env` isn't set."
    )


def _unsafe(
    address: re.Match[str] | None,
    section: ProviderSection,
    variable: str,
    provider: str,
    base_url: str,
) -> str | None:
    if address is None:
        return f"{variable} isn't sent to {provider}: its base_url isn't a plain http(s) address."
    plain = address["scheme"].lower() == "http"
    if not plain or section.allow_plain_http or is_near(address["host"]):
        return None
    return f"{variable} isn't sent to {_host(base_url)} over plain http, where others can read it."


def _host(base_url: str) -> str:
    address = _PLAIN_ADDRESS.fullmatch(base_url)
    return for_display(address["host"]) if address else "that address"
