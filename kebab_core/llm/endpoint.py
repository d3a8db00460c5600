"""Where a chat model is reached, and how to speak of that place without giving anything away."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from kebab_core.settings.secrets import without_secrets
from kebab_core.text.clean import for_display

SHOWN_CHARS = 300
"""Most of a server's own words that an error repeats."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model on a server. `base_url` has no final slash; seconds are those of the settings.

    `variable` is where `key` came from or would; `key_reason` says why a key that is there
    wasn't taken along.
    """

    provider: str
    model: str
    base_url: str
    role: str = "ask"
    key: str | None = field(default=None, repr=False)
    variable: str | None = None
    key_reason: str | None = None
    connect_timeout_s: float = 5.0
    silence_timeout_s: float = 120.0

    @property
    def address(self) -> str:
        """The base address as it may be shown: no user, password or query."""
        try:
            parts = urlsplit(self.base_url)
            host, port = parts.hostname or "", f":{parts.port}" if parts.port else ""
        except ValueError:
            return "an address that can't be read"
        shown = f"[{host}]" if ":" in host else host
        return for_display(f"{parts.scheme}://{shown}{port}{parts.path}")

    @property
    def who(self) -> str:
        """`ollama at http://127.0.0.1:11434`: the subject of most failures."""
        return f"{self.provider} at {self.address}"

    @property
    def is_loopback(self) -> bool:
        try:
            host = (urlsplit(self.base_url).hostname or "").rstrip(".")
        except ValueError:
            return False
        if host == "localhost" or host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return False

    def shown(self, text: str) -> str:
        """A server's words on one short line, without the secrets that they may repeat."""
        line = " ".join(for_display(without_secrets(text, self.base_url, self.key)).split())
        return line if len(line) <= SHOWN_CHARS else f"{line[:SHOWN_CHARS]}…"
