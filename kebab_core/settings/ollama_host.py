"""`OLLAMA_HOST` as Ollama itself reads it, made an address to call."""

from __future__ import annotations

PORT = 11434
"""Ollama's own port, when the variable names neither port nor scheme."""

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]", "::": "[::1]"}  # noqa: S104


def ollama_address(text: str) -> str:
    """`host`, `host:port`, `:port`, or an address → an address without a final slash.

    The rules of Ollama's `envconfig.Host`: plain http and port 11434 unless said otherwise;
    with a scheme, that scheme's port. Where a server listens everywhere, a client calls
    loopback.

    >>> ollama_address("0.0.0.0")
    'http://127.0.0.1:11434'
    """
    scheme, separator, rest = text.strip().strip("\"'").partition("://")
    if not separator:
        scheme, rest = "http", scheme
    port = {"http": 80, "https": 443}.get(scheme.lower(), PORT) if separator else PORT
    authority, slash, path = rest.partition("/")
    host, chosen = _host_and_port(authority)
    shown_port = chosen or str(port)
    host = _EVERYWHERE.get(host, host) or "127.0.0.1"
    tail = f"{slash}{path}".rstrip("/")
    return f"{scheme.lower()}://{host}:{shown_port}{tail}"


def _host_and_port(authority: str) -> tuple[str, str | None]:
    if authority.startswith("["):
        inside, _, after = authority.partition("]")
        return f"{inside}]", after.lstrip(":") or None
    if authority.count(":") > 1:
        return f"[{authority}]", None
    host, _, port = authority.partition(":")
    return host, port or None
