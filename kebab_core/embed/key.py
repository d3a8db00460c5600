"""Which key, if any, may travel to an embedding server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from kebab_core.errors import ConfigInvalid, EmbedderUnavailable, ModelRefused
from kebab_core.settings import keys

if TYPE_CHECKING:
    from kebab_core.settings.configuration import Configuration


def embedding_key(configuration: Configuration, env: Mapping[str, str] | None = None) -> str:
    """The key for `embedding.base_url`, or "".

    It is that of the provider whose server this is, by the rules for chat models; a server that
    no provider names gets none. Raises EmbedderUnavailable where a key is a must and isn't set.
    """
    address = configuration.settings.embedding.base_url
    for provider in keys.PROVIDERS:
        try:
            if _server(keys.default_base_url(provider, configuration)) != _server(address):
                continue
            return keys.decide(provider, address, configuration, env).key or ""
        except ConfigInvalid:
            continue  # a provider without an address of its own is no one's server
        except ModelRefused as error:
            raise EmbedderUnavailable(
                f"The embedding server can't be asked: {error.message}",
                "Set the variable, or embedding.runtime to auto and embedding.base_url to nothing.",
                details=error.details,
            ) from error
    return ""


def _server(address: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(address)
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme, 0)
    except ValueError as error:
        raise ConfigInvalid(f"{address!r} is no address: {error}") from error
    return parts.scheme, (parts.hostname or "").lower(), port
