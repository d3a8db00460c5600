"""What a server may repeat and nobody may read: keys, and passwords in addresses."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

HIDDEN = "[key]"


def without_secrets(text: str, base_url: str, key: str | None = None) -> str:
    """`text` from the server at `base_url` without the key, or the password of that address.

    >>> without_secrets("no such key: abc", "http://host/v1", "abc")
    'no such key: [key]'
    """
    for secret in (key, *_passwords(base_url)):
        if secret:
            text = text.replace(secret, HIDDEN)
    return text


def _passwords(base_url: str) -> tuple[str, ...]:
    """As it is written in the address, and as it is sent."""
    try:
        written = urlsplit(base_url).password or ""
    except ValueError:
        return ()
    return written, unquote(written)
