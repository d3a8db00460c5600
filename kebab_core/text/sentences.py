"""Where sentences begin and end, in any script and through Markdown.

The spans are what a quoting answer is made of, so they hold whole sentences without the
marks around them: heading signs, bullets, list numbers, quote signs and fences are left out. A
line break inside a paragraph is no boundary; a heading, an item, a table row is a sentence of
its own, and a fenced block of code is one too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*(\S*)[^\n]*")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_ITEM = re.compile(r"[ \t]*(?:[-*+•‣◦–][ \t]+(?:\[[ xX]\][ \t]+)?|\(?(?:\d{1,3}|[a-z])[.)][ \t]+)")
_QUOTE = re.compile(r"[ \t]*(?:>[ \t]?)+")
_TABLE = re.compile(r"[ \t]*\|")
# Under a heading, between sections, under a table's head: `---`, `===`, `|--|:-:|`, `* * *`.
_RULE = re.compile(r"[ \t]*(?:\|?[ \t]*:?-{2,}[-:| \t]*|={2,}|[*_-](?:[ \t]*[*_-]){2,})[ \t]*\Z")

_CLOSERS = "\"'”’»›)\\]}」』】）》〉］｣*_"
# After a Latin stop a space must follow, after a CJK one nothing need.
_STOP = re.compile(
    rf"[.!?…‥؟۔։।॥።]+[{_CLOSERS}]*(?=\s)"
    rf"|[。！？｡．][。！？｡．]*[{_CLOSERS}]*"
    r"|[។၊။]+"
)
# `「…。」と言った`: the quotation goes on as part of its sentence.
_GOES_ON = re.compile(r"\s*(?:と|って|、|，|が|は|の|라고|고\s)")
_LAST_WORD = re.compile(r"[^\s(\[\"“„«']+\Z")
_SPACE = re.compile(r"\s*")
_MONTH = re.compile(
    r"(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)"
)
_ABBREVIATED = (
    # English
    "mr mrs ms dr prof sr jr st mt rev gen col capt lt sgt gov sen rep hon vs e.g i.e cf approx "
    "fig figs eq eqs sec ch pp vol no nos ed eds al dept univ inc ltd co corp est "
    # German
    "z.b d.h u.a z.t bzw usw ca nr str abs art bd vgl hrsg evtl ggf inkl max min sog "
    # French, Spanish, Italian, Portuguese
    "m mme mlle p.ex sra srta ud uds pág sig dott"
)
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())  # case-folded, without the stop


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Spans `text[start:end]` of the sentences, in order, none overlapping, none empty.

    They start and end with something visible. Between them lies only whitespace and markup.
    """
    spans: list[tuple[int, int]] = []
    for start, end, whole in _pieces(text):
        if whole:
            _append(spans, text, start, end)
        else:
            _split(spans, text, start, end)
    return spans


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _pieces(text: str) -> Iterator[tuple[int, int, bool]]:
    """Runs of prose, and pieces that are one sentence as they stand (code, rows, headings)."""
    lines = list(_lines(text))
    open_at: int | None = None  # start of the paragraph being gathered
    last = 0
    i = 0
    while i < len(lines):
        start, end = lines[i]
        line = text[start:end]
        fence = _FENCE.fullmatch(line)
        closing = _closing(text, lines, i, fence[1]) if fence else None
        boundary = fence or not line.strip() or _RULE.match(line)
        heading = None if boundary else _HEADING.match(line)
        marked = None if boundary or heading else _ITEM.match(line) or _QUOTE.match(line)
        row = None if boundary else _TABLE.match(line)
        quoted = marked is not None and ">" in marked.group()
        if open_at is not None and (boundary or heading or row or (marked and not quoted)):
            yield open_at, last, False
            open_at = None
        if closing is not None:
            if closing > i + 1:
                yield lines[i + 1][0], lines[closing - 1][1], True
            i = closing
        elif heading:
            yield start + heading.end(), end, True
        elif row:
            yield start, end, True
        elif not boundary:
            if quoted and open_at is not None:
                # The sign stands amid the sentence: the line is one of its own.
                yield open_at, last, False
                open_at = None
            if open_at is None:
                open_at = start + (marked.end() if marked else 0)
            last = end
        i += 1
    if open_at is not None:
        yield open_at, last, False


def _closing(text: str, lines: list[tuple[int, int]], i: int, sign: str) -> int | None:
    """The line that closes the fence opened at line `i`; None for a fence cut off by a chunk."""
    for j in range(i + 1, len(lines)):
        fence = _FENCE.fullmatch(text, *lines[j])
        if fence and fence[1].startswith(sign) and not fence[2]:
            return j
    return None


def _split(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    begun = start
    for stop in _STOP.finditer(text, start, end):
        if stop.end() < end and _ends(text, begun, stop):
            _append(spans, text, begun, stop.end())
            begun = stop.end()
    _append(spans, text, begun, end)


def _ends(text: str, begun: int, stop: re.Match[str]) -> bool:
    signs = stop.group()
    space = _SPACE.match(text, stop.end())
    following = space.end() if space else stop.end()
    if ord(signs[0]) > 0x2FFF or signs[0] in "।॥።":
        closed = signs[-1] not in "。！？｡．"
        return not (closed and _GOES_ON.match(text, stop.end()))
    if text[following : following + 1].islower():
        return False
    if signs[0] != "." or len(signs.rstrip("\"'”’»›)]}*_")) > 1:
        return True
    word = _LAST_WORD.search(text, max(begun, stop.start() - 40), stop.start())
    if word is None:
        return True
    last = word.group()
    if last.casefold() in _ABBREVIATIONS or (len(last) == 1 and last.isupper()):
        return False
    if last.isdigit() and len(last) <= 2:  # `am 3. Oktober`
        return _MONTH.match(text, following) is None
    return True


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    end -= len(piece) - len(piece.rstrip())
    if start < end and any(c.isalnum() for c in piece):
        spans.append((start, end))
