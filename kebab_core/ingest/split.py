"""Where what is too long is cut: at sentence ends or lines, else at words, else anywhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from kebab_core.ingest.measure import Measured
from kebab_core.text.sentences import sentence_spans

MAX_CHARS = 2_400
"""Characters of a chunk at the most, however few tokens they are: a tokenizer may take a long
unbroken run for one token."""

OVERLAP_TOKENS = 32
"""A piece begins with what ended the one before it, whole sentences up to so many tokens."""

_BLANK_LINE = re.compile(r"(?:\r\n|\r|\n)[^\S\r\n]*(?=\r\n|\r|\n)")
_LINE_END = re.compile(r"\r\n|\r(?!\n)|\n")
_SPACE = re.compile(r"\s+")
_JOINERS = "\u200d\ufe0e\ufe0f"


def split(
    measured: Measured, start: int, end: int, budget: int, *, by_lines: bool
) -> Iterator[tuple[int, int]]:
    """Pieces of `text[start:end]` of `budget` tokens at the most, each overlapping the one before
    a little. They cover it all, in order. `by_lines`: code, tables and lists.
    """
    text = measured.text
    at = start
    while True:
        reach = min(measured.reach(at, _share(measured, at, end, budget), end), at + MAX_CHARS)
        if reach >= end:
            yield at, end
            return
        cuts = _line_cuts(text, at, reach) if by_lines else _sentence_cuts(text, at, reach)
        cut = _chosen(text, at, reach, cuts)
        yield at, cut
        overlap = min(OVERLAP_TOKENS, budget // 6)
        # In a long unbroken run tokens say little about length.
        nearest = max(at + 1, cut - (cut - at) // 3)
        at = next(
            (c for c in cuts if nearest <= c < cut and measured.tokens(c, cut) <= overlap), cut
        )


def _share(measured: Measured, at: int, end: int, budget: int) -> int:
    """`budget`, or half of what is left where that makes two pieces: no tail of a few words."""
    left = measured.tokens(at, end)
    return left // 2 + budget // 12 + 1 if budget < left <= budget * 11 // 6 else budget


def _chosen(text: str, at: int, reach: int, cuts: list[int]) -> int:
    """The last place to cut in the second half of `text[at:reach]`."""
    middle = at + max(1, (reach - at) // 2)
    later = [cut for cut in cuts if middle <= cut <= reach]
    if later:
        return later[-1]
    gaps = [gap.end() for gap in _SPACE.finditer(text, middle, reach)]
    return gaps[-1] if gaps else _between_characters(text, at, reach)


def _sentence_cuts(text: str, at: int, reach: int) -> list[int]:
    """Ends of the sentences that end before `reach`; the last is cut by the window."""
    return [at + end for _, end in sentence_spans(text[at:reach])[:-1]]


def _line_cuts(text: str, at: int, reach: int) -> list[int]:
    """Starts of lines; only those after a blank one, if there are such in the second half."""
    blank = [gap.end() for gap in _BLANK_LINE.finditer(text, at, reach)]
    if any(cut >= at + (reach - at) // 2 for cut in blank):
        return blank
    return [line.end() for line in _LINE_END.finditer(text, at, reach)]


def _between_characters(text: str, at: int, reach: int) -> int:
    """`reach`, or a little before it: never inside what a person sees as one character."""
    cut = reach
    while cut > at + 1 and (
        unicodedata.combining(text[cut])
        or text[cut] in _JOINERS
        or text[cut - 1] == "\u200d"
        or text[cut - 1 : cut + 1] == "\r\n"
    ):
        cut -= 1
    return cut if cut > at + 1 else reach
