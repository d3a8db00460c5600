"""reStructuredText: titles by their adornment, and what stands between them.

docutils knows more of it, but not where in the file it stands, and a citation is lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kebab_core.ingest.extract.text import paragraphs
from kebab_core.ingest.lines import line_spans
from kebab_core.text.language import detect
from kebab_core.types import Block, Extraction

VERSION = "rst.1"

_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}[ \t]*\Z")
_ROLE = re.compile(r":[\w.:+-]+:`([^`]*)`")
_MARKS = re.compile(r"\*\*|``|[`*]|\|(?=\w)|(?<=\w)\|")
_BEGINS_CODE = re.compile(r"\.\. (?:code-block|code|sourcecode|highlight|parsed-literal|math)::")
_CELLS = re.compile(r"[+=][-=+ ]*[+=]?\Z|\|")


def extract(text: str, name: str) -> Extraction:
    """Never fails: any text is paragraphs at least."""
    blocks = tuple(_blocks(text))
    headings = [block.heading_path[-1] for block in blocks if block.kind == "heading"]
    return Extraction(
        text=text,
        media="rst",
        parser_version=VERSION,
        blocks=blocks,
        title=next(iter(headings), None),
        lang=detect(text),
    )


def _blocks(text: str) -> Iterator[Block]:
    spans = line_spans(text)
    levels: list[str] = []
    path: list[tuple[int, str]] = []
    begun = 0
    i = 0
    while i < len(spans):
        found = _title(text, spans, i)
        if found is None:
            i += 1
            continue
        style, words, lines = found
        yield from _body(text, begun, spans[i][0], path)
        if style not in levels:
            levels.append(style)
        level = levels.index(style)
        path = [outer for outer in path if outer[0] < level]
        path.append((level, words))
        begun = spans[i + lines - 1][1]
        yield Block("heading", spans[i][0], begun, _titles(path))
        i += lines
    yield from _body(text, begun, len(text), path)


def _title(text: str, spans: list[tuple[int, int]], i: int) -> tuple[str, str, int] | None:
    """The style of a title that begins in line `i`, its words, and how many lines it has."""

    def line(n: int) -> str:
        return text[spans[n][0] : spans[n][1]].rstrip() if 0 <= n < len(spans) else ""

    first, second, third = line(i), line(i + 1), line(i + 2)
    if (over := _ADORNMENT.match(first)) and second.strip() and third == first:
        if not _ADORNMENT.match(second) and len(second.strip()) <= len(first):
            return f"{over[1]}{over[1]}", _plain(second), 3
        return None
    under = _ADORNMENT.match(second)
    if not under or not first or first[0].isspace() or _ADORNMENT.match(first):
        return None
    # A shorter line below is a table's rule or a transition.
    if len(second) < len(first) - 1 or line(i - 1).strip():
        return None
    return under[1], _plain(first), 2


def _body(text: str, start: int, end: int, path: list[tuple[int, str]]) -> Iterator[Block]:
    """Paragraphs; an indented run below `::` or a code directive is one piece of code with it."""
    code: tuple[int, int] | None = None
    opens_code = False
    for a, b in paragraphs(text, start, end):
        line_start = max(text.rfind("\n", 0, a), text.rfind("\r", 0, a)) + 1
        begin = max(start, line_start) if not text[line_start:a].strip() else a
        piece = text[begin:b]
        if code is not None and piece[:1] in " \t":
            code = (code[0], b)
            continue
        if code is not None:
            yield Block("code", *code, _titles(path), atomic=True)
            code = None
        if opens_code and piece[:1] in " \t":
            code, opens_code = (begin, b), False
            continue
        opens_code = piece.rstrip().endswith("::")
        if _BEGINS_CODE.match(piece):
            code, opens_code = (begin, b), False
            continue
        kind = "table" if _CELLS.match(piece) else "paragraph"
        yield Block(kind, begin, b, _titles(path), atomic=kind == "table")  # type: ignore[arg-type]
    if code is not None:
        yield Block("code", *code, _titles(path), atomic=True)


def _titles(path: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(title for _, title in path)


def _plain(title: str) -> str:
    return " ".join(_MARKS.sub("", _ROLE.sub(r"\1", title)).split())
