"""Text in a terminal's columns: East Asian letters take two, combining ones none."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A line may break before each of these letters; Hangul has spaces between its words.
_ANYWHERE = r"[\u2e80-\u303f\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
# No line begins with these.
_CLOSING = r"[)\]}’”»、。，．！？：；」』】》〉）％…ー]"
_PIECE = re.compile(rf"\s+|{_ANYWHERE}{_CLOSING}*|(?:(?!{_ANYWHERE})\S)+")
WIDEST = 100
"""Lines longer than this are hard to read, however wide the terminal is."""


def cells(text: str) -> int:
    """How many columns `text` takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def clip(text: str, room: int) -> str:
    """`text` in at most `room` columns, with an ellipsis where it was cut."""
    if cells(text) <= room:
        return text
    kept = ""
    for letter in text:
        if cells(kept + letter) >= room:
            break
        kept += letter
    return f"{kept.rstrip()}…" if room > 0 else ""


def pieces(text: str) -> Iterator[str]:
    """Spaces and words in turn; between any two of them a line may break."""
    return (match.group() for match in _PIECE.finditer(text))


def fill(text: str, width: int | None, indent: str = "", rest: str | None = None) -> list[str]:
    """`text` as lines of at most `width` columns, broken between words.

    The first begins with `indent`, the others with `rest` (`indent` if None). None for a width
    leaves all of it on one line. A word that no line can hold is left to the terminal.
    """
    flat = " ".join(text.split())
    if width is None:
        return [indent + flat]
    later = indent if rest is None else rest
    room = max(1, min(width, WIDEST))
    lines: list[str] = []
    line = ""
    for piece in pieces(flat):
        before = later if lines else indent
        if line and cells(before + line + piece.rstrip()) > room:
            lines.append(before + line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    lines.append((later if lines else indent) + line.rstrip())
    return lines
