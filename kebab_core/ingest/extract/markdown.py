"""Markdown: blocks from markdown-it-py, whose line maps give the exact spans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from kebab_core.ingest.extract.front_matter import front_matter
from kebab_core.ingest.extract.text import paragraphs
from kebab_core.ingest.lines import Lines, line_spans
from kebab_core.text.language import detect
from kebab_core.types import Block, Extraction

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

VERSION = "markdown.1"

_KINDS = {
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
    "blockquote_open": "quote",
    "html_block": "paragraph",
}
_ATOMIC = frozenset(["table", "code"])


_LONG = 1_000_000
"""Characters beyond which only headings, fences and paragraphs are told apart: the whole structure
takes some five hundred bytes of memory a character, where it is all small items."""

_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


def extract(text: str, name: str) -> Extraction:
    """Never fails: any text is Markdown."""
    front = front_matter(text)
    warnings = front.warnings
    if len(text) <= _LONG:
        blocks = tuple(blocks_of(text, front.end))
    else:
        blocks = tuple(_coarse_blocks(text, front.end))
        warnings += ("very long: only its headings, fences and paragraphs were told apart",)
    headings = [block.heading_path[-1] for block in blocks if block.kind == "heading"]
    return Extraction(
        text=text,
        media="markdown",
        parser_version=VERSION,
        blocks=blocks,
        title=front.title or next((heading for heading in headings if heading), None),
        lang=front.lang or detect(text[front.end :]),
        tags=front.tags,
        status=front.status,
        author=front.author,
        warnings=warnings,
    )


def blocks_of(text: str, start: int = 0) -> Iterator[Block]:
    """The blocks below the front matter, which is one of its own and ends at `start`."""
    if start:
        yield Block("paragraph", 0, start)
    body = text[start:]
    lines = Lines(body).starts
    path: list[tuple[int, str]] = []
    tokens = _parsers()[0].parse(body)
    for i, token in enumerate(tokens):
        if token.level or token.map is None:
            continue
        first, beyond = token.map
        begin = start + lines[first]
        end = start + (lines[beyond] if beyond < len(lines) else len(body))
        if token.type == "heading_open":
            level = int(token.tag[1:])
            path = [outer for outer in path if outer[0] < level]
            path.append((level, _plain(tokens[i + 1].content)))
            yield Block("heading", begin, end, _titles(path))
        elif token.type in _KINDS:
            kind = _KINDS[token.type]
            yield Block(kind, begin, end, _titles(path), atomic=kind in _ATOMIC)  # type: ignore[arg-type]


def _coarse_blocks(text: str, start: int) -> Iterator[Block]:
    """Line by line: headings with `#`, fences, and what lies between blank lines."""
    if start:
        yield Block("paragraph", 0, start)
    path: list[tuple[int, str]] = []
    begun = start  # of what is no heading and no fence
    fence: tuple[str, int] | None = None  # its signs, and where it began

    def prose(end: int) -> Iterator[Block]:
        for first, last in paragraphs(text, begun, end):
            if text[first:last].strip():
                yield Block("paragraph", first, last, _titles(path))

    for line_start, line_end in line_spans(text[start:]):
        at, end = start + line_start, start + line_end
        line = text[at:end]
        marks = _FENCE.fullmatch(line)
        if fence is not None:
            if marks and marks[1].startswith(fence[0]) and not marks[2].strip():
                yield Block("code", fence[1], end, _titles(path), atomic=True)
                fence, begun = None, end
        elif marks:
            yield from prose(at)
            fence = (marks[1], at)
        elif heading := _HEADING.match(line):
            yield from prose(at)
            level = len(heading[1])
            path = [outer for outer in path if outer[0] < level]
            path.append((level, _plain(line[heading.end() :].strip().rstrip("#").rstrip())))
            yield Block("heading", at, end, _titles(path))
            begun = end
    if fence is not None:
        yield Block("code", fence[1], len(text), _titles(path), atomic=True)
    else:
        yield from prose(len(text))


def _titles(path: list[tuple[int, str]]) -> tuple[str, ...]:
    return tuple(title for _, title in path)


@cache
def _parsers() -> tuple[MarkdownIt, MarkdownIt]:
    """One that stops at blocks, and a whole one for the words of a heading."""
    from markdown_it import MarkdownIt

    whole = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    blocks = MarkdownIt("commonmark").enable("table")
    blocks.core.ruler.enableOnly(["normalize", "block"])
    return blocks, whole


def _plain(heading: str) -> str:
    """A heading's words without marks, links and pictures."""
    if heading.isalnum():
        return heading
    words: list[str] = []
    for inline in _parsers()[1].parseInline(heading):
        for token in inline.children or ():
            if token.type in ("text", "code_inline", "text_special", "image"):
                words.append(token.content)
            elif token.type in ("softbreak", "hardbreak"):
                words.append(" ")
    return " ".join("".join(words).split())
