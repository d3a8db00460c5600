"""Python values as Arrow can hold them, and back."""

from __future__ import annotations

import re

_SURROGATE = re.compile(r"[\ud800-\udfff]")


def to_bytes(text: str) -> bytes:
    """Any text at all, lone surrogates included, as bytes."""
    return text.encode("utf-8", "surrogatepass")


def from_bytes(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def to_string(text: str) -> str:
    """Text that Arrow takes: a lone surrogate becomes U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def to_optional(text: str | None) -> str | None:
    return None if text is None else to_string(text)
