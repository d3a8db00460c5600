"""Passages cut into what can be quoted: sentences, items, table rows, blocks of code.

What is written stays the passage's own words; only the marks around them go: Markdown signs that
would be left half open, links' addresses, and bracketed numbers, which in an answer would be
taken for citations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kebab_core.text.clean import for_display
from kebab_core.text.scripts import HAN_KANA
from kebab_core.text.sentences import sentence_spans
from kebab_core.types import Hit

Kind: TypeAlias = Literal["sentence", "item", "row", "code"]

MAX_CHARS = 600
"""A longer sentence is no sentence: a list run together, a page without a full stop."""
MAX_CODE_LINES = 20
MIN_CHARS = 3

_IMAGE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]\[]+)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_REFERENCE = re.compile(r"\[([^\]\[]+)\]\[[^\]]*\]")
_MARKER = re.compile(r"\s*(?:\[\^?[\d,\s–-]{1,16}\]|\[\^[^\]\s]{1,32}\]|【[\d,\s†–-]{1,16}】)")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>|<!--.*?-->", re.DOTALL)
_EMPHASIS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__|(?<![\w*])\*(?=\w)|(?<=\w)\*(?![\w*])")
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_JOINED_LINES = re.compile(rf"(?<=[{HAN_KANA}。、！？])[ \t]*\n[ \t]*(?=[{HAN_KANA}])")
_HEADING_BEFORE = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+\Z")
_ITEM_BEFORE = re.compile(r"[ \t]*(?:[-*+•‣◦–]|\(?(?:\d{1,3}|[a-zA-Z])[.)])[ \t]+\S{0,4}[ \t]*\Z")
_FENCE_LINE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\Z")
_UNDERLINE = re.compile(r"\n[ \t]{0,3}(?:=+|-{3,})[ \t]*(?:\n|\Z)")
_RULE_ROW = re.compile(r"\|?[\s:|-]*-[\s:|-]*\Z")
_CELL_BREAK = re.compile(r"(?<!\\)\|")
_BLANK_LINES = re.compile(r"\n[ \t]*\n")
_ENDS_IN_COLON = (":", "：")


@dataclass(frozen=True, slots=True)
class Quotable:
    """A piece of passage `n`. `text` is written and ranked; code is written as a fenced block.

    `heading` is the nearest heading over it (the document's title where there is none), and
    `under` how many pieces stand between the two, None below a title.
    `whole` is false for a sentence whose beginning fell to the passage before.
    """

    n: int
    kind: Kind
    text: str
    heading: str = ""
    under: int | None = None
    whole: bool = True
    code_lang: str = ""

    @property
    def leads_in(self) -> bool:
        """Whether it announces what follows it: an item list, a block of code."""
        return self.kind in ("sentence", "item") and self.text.endswith(_ENDS_IN_COLON)


def quotables(passages: Sequence[Hit]) -> list[Quotable]:
    """The pieces of all passages in reading order, each once though passages overlap.

    Documents come in the order of their best passage, passages of one in the document's own.
    """
    documents = {hit.chunk.doc_id: place for place, hit in reversed(list(enumerate(passages)))}
    numbered = [(hit, hit.n if hit.n is not None else at) for at, hit in enumerate(passages, 1)]
    numbered.sort(key=lambda it: (documents[it[0].chunk.doc_id], it[0].chunk.start))
    seen: set[tuple[str, str]] = set()
    pieces = []
    for hit, n in numbered:
        for piece in _of_passage(hit, n):
            key = (hit.chunk.doc_id, piece.text.casefold())
            if key not in seen:
                seen.add(key)
                pieces.append(piece)
    return pieces


def _of_passage(hit: Hit, n: int) -> Iterator[Quotable]:
    chunk = hit.chunk
    heading = chunk.heading_path[-1] if chunk.heading_path else hit.title
    if chunk.media == "code":
        yield from _of_source(chunk.text, n, chunk.symbol or heading, chunk.code_lang or "")
        return
    text, table = chunk.text, _Table()
    under = 0 if chunk.heading_path else None
    for start, end in sentence_spans(text):
        line = text.rfind("\n", 0, start) + 1
        raw, before = text[start:end], text[line:start]
        if _HEADING_BEFORE.match(before) or _UNDERLINE.match(text, end):
            heading, under = clean(raw), 0
            continue
        lang = _fenced(text, line)
        kind: Kind
        if lang is not None:
            kind, shown = "code", _code(text[line:end])
        elif raw.startswith("|") and not before.strip():
            kind, shown = "row", table.row(raw, text, end)
        else:
            kind = "item" if _ITEM_BEFORE.match(before) else "sentence"
            shown = clean(raw)
        if MIN_CHARS <= len(shown) <= MAX_CHARS or (kind == "code" and shown):
            whole = not (start == 0 and chunk.start > 0 and shown[:1].islower())
            yield Quotable(n, kind, shown, heading, under, whole, lang or "")
            under = None if under is None else under + 1


def _of_source(text: str, n: int, heading: str, lang: str) -> Iterator[Quotable]:
    """Source code: its blocks between empty lines."""
    for block in _BLANK_LINES.split(text):
        if len(block.strip()) >= MIN_CHARS:
            yield Quotable(n, "code", _code(block), heading, code_lang=lang)


def clean(text: str) -> str:
    """A sentence of Markdown on one line, without marks that mean nothing or mislead alone."""
    parts, at = [], 0
    for code in _CODE_SPAN.finditer(text):
        parts += [_prose(text[at : code.start()]), code.group()]
        at = code.end()
    parts.append(_prose(text[at:]))
    joined = _JOINED_LINES.sub("", "".join(parts))
    return for_display(" ".join(joined.split()))


def _prose(text: str) -> str:
    text = _IMAGE.sub("", text)
    text = _LINK.sub(r"\1", text)
    text = _MARKER.sub("", text)
    text = _REFERENCE.sub(r"\1", text)
    text = _TAG.sub(" ", text)
    # A backtick without its partner would turn the rest of the answer to code.
    return _EMPHASIS.sub("", text).replace("`", "'")


def _fenced(text: str, line: int) -> str | None:
    """The language of the fence whose first line is right before offset `line`, else None."""
    above = text.rfind("\n", 0, max(line - 1, 0)) + 1
    fence = _FENCE_LINE.match(text[above : line - 1]) if line else None
    return fence[1] if fence else None


def _code(text: str) -> str:
    lines = for_display(text).strip("\n").split("\n")
    if len(lines) > MAX_CODE_LINES:
        lines = [*lines[: MAX_CODE_LINES - 1], "…"]
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    margin = min(indents, default=0)
    return "\n".join(line[margin:].rstrip() for line in lines)


class _Table:
    """Rows as `header: cell; header: cell`, which reads alone; the header row itself gives none."""

    def __init__(self) -> None:
        self._header: list[str] = []

    def row(self, raw: str, text: str, end: int) -> str:
        inside = raw.strip().removeprefix("|").removesuffix("|")
        cells = [clean(cell.replace("\\|", "|")) for cell in _CELL_BREAK.split(inside)]
        following = text[end + 1 : text.find("\n", end + 1) if "\n" in text[end + 1 :] else None]
        if following.strip() and _RULE_ROW.fullmatch(following.strip()):
            self._header = cells
            return ""
        if len(cells) != len(self._header):
            return " | ".join(cell for cell in cells if cell)
        pairs = zip(self._header, cells, strict=True)
        return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)
