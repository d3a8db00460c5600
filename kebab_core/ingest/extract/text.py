"""Plain text: paragraphs between blank lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kebab_core.text.language import detect
from kebab_core.types import Block, Extraction

VERSION = "text.1"

_BLANK = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*(?:\r\n|\r|\n)\s*")


def extract(text: str, name: str) -> Extraction:
    """Of any text, whatever its line ends."""
    return Extraction(
        text=text,
        media="text",
        parser_version=VERSION,
        blocks=tuple(Block("paragraph", start, end) for start, end in paragraphs(text)),
        lang=detect(text),
    )


def paragraphs(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Spans within `text[start:end]` that blank lines set apart. Some may be all whitespace."""
    end = len(text) if end is None else end
    for blank in _BLANK.finditer(text, start, end):
        yield start, blank.start()
        start = blank.end()
    if start < end:
        yield start, end
