"""A short view of a passage around the words that were asked for."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")


def snippet(text: str, query: str = "", width: int = 240) -> str:
    """At most `width` characters of `text` on one line, around the query's densest words."""
    flat = " ".join(text.split())
    if len(flat) <= width:
        return flat
    start = _densest(flat, query, width)
    if start > 0:
        space = flat.find(" ", start, start + 20)
        start = space + 1 if space >= 0 else start
    end = start + width - 2
    if end < len(flat):
        space = flat.rfind(" ", max(start, end - 20), end)
        end = space if space > start else end
    return ("…" if start else "") + flat[start:end] + ("…" if end < len(flat) else "")


def _densest(flat: str, query: str, width: int) -> int:
    wanted = {
        word.casefold() for word in _WORD.findall(query) if len(word) > 2 or not word.isascii()
    }
    if not wanted:
        return 0
    places = [m.start() for m in _WORD.finditer(flat) if m.group().casefold() in wanted]
    if not places:
        return 0
    best, most = places[0], 0
    for i, place in enumerate(places):
        inside = sum(1 for other in places[i:] if other < place + width - 40)
        if inside > most:
            best, most = place, inside
    return max(0, min(best - 40, len(flat) - width + 2))
