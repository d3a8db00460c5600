"""Markers `[n]` in prose: which passages it cites so far."""

from __future__ import annotations

import re

MARKER = re.compile(r"\[(\d{1,3})\](?!\()")
_OPEN = re.compile(r"\[\d{0,3}\]?$")


class Marks:
    """Reads prose as it arrives. A marker cut over two pieces counts when it closes."""

    def __init__(self) -> None:
        self.cited: set[int] = set()
        self._rest = ""

    def read(self, piece: str) -> set[int]:
        """Add `piece`; the numbers seen for the first time."""
        text = self._rest + piece
        found = {int(match.group(1)) for match in MARKER.finditer(text)}
        unfinished = _OPEN.search(text)
        self._rest = unfinished.group() if unfinished else ""
        fresh = found - self.cited
        self.cited |= fresh
        return fresh
