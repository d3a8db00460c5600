"""Text from outside, made safe to show and to embed.

Escape and control sequences in file names, passages and model output must never reach a
terminal: they are made visible instead.
"""

from __future__ import annotations

import re

# C0 without tab and newline, DEL, C1, and the bidirectional overrides that reorder a line.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LINE_ENDS = re.compile(r"\r\n?")


def _visible(match: re.Match[str]) -> str:
    point = ord(match.group())
    if point < 0x20:
        return chr(0x2400 + point)  # U+2400: the Control Pictures block
    if point == 0x7F:
        return "\u2421"
    return "\ufffd"


def for_display(text: str) -> str:
    """`text` with control characters made visible, tabs and newlines kept, CRLF as LF.

    >>> for_display("a\\x1b[31mb")
    'a␛[31mb'
    """
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub(_visible, _LINE_ENDS.sub("\n", text))


def for_model(text: str) -> str:
    """`text` as it is embedded and indexed: control characters become spaces."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub(" ", _LINE_ENDS.sub("\n", text))
