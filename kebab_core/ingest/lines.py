"""Lines as editors count them: `\\n`, `\\r\\n` and `\\r` end one, and nothing else does."""

from __future__ import annotations

import re
from bisect import bisect_right

_END = re.compile(r"\r\n|\r|\n")


class Lines:
    """Line numbers of one text, from 1."""

    __slots__ = ("starts",)

    def __init__(self, text: str) -> None:
        self.starts = [0]
        if "\r" in text:
            self.starts.extend(match.end() for match in _END.finditer(text))
        else:
            at = text.find("\n")
            while at >= 0:
                self.starts.append(at + 1)
                at = text.find("\n", at + 1)

    def number(self, offset: int) -> int:
        """The line on which the character at `offset` stands."""
        return bisect_right(self.starts, offset)


def line_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of each line, the end before its line end. A last empty line is left out."""
    spans = []
    start = 0
    for match in _END.finditer(text):
        spans.append((start, match.start()))
        start = match.end()
    if start < len(text):
        spans.append((start, len(text)))
    return spans
