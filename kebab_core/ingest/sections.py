"""A document's blocks made whole, and grouped: packing starts anew in each section."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from kebab_core.types import Block, Extraction


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under one heading, or of one page.

    `headings` is how many blocks at its start are headings: more than one where a heading had
    nothing below it but another one.
    """

    blocks: tuple[Block, ...]
    headings: int

    @property
    def heading_path(self) -> tuple[str, ...]:
        return self.blocks[-1].heading_path


def sections(extraction: Extraction) -> Iterator[Section]:
    """All of a document's text that isn't whitespace, in order."""
    gathered: list[Block] = []
    headings = 0
    for block in covering(extraction.text, extraction.blocks):
        begins = block.kind in ("heading", "page")
        if begins and gathered and not _goes_on(gathered, headings, block):
            yield Section(tuple(gathered), headings)
            gathered, headings = [], 0
        if block.kind == "heading":
            headings += 1
        gathered.append(block)
    if gathered:
        yield Section(tuple(gathered), headings)


def _goes_on(gathered: list[Block], headings: int, heading: Block) -> bool:
    """A heading right below a higher one: that one's line stays with what it is about."""
    above = gathered[-1].heading_path
    return (
        heading.kind == "heading"
        and headings == len(gathered)
        and len(heading.heading_path) > len(above)
        and heading.heading_path[: len(above)] == above
    )


def covering(text: str, blocks: tuple[Block, ...]) -> Iterator[Block]:
    """`blocks` in order, trimmed of whitespace, none overlapping; what no block covers (a link
    definition, a rule) is a paragraph of the section it stands in."""
    at = 0
    path: tuple[str, ...] = ()
    for block in sorted(blocks, key=lambda block: block.start):
        between = _trimmed(text, Block("paragraph", at, block.start, path))
        if between is not None:
            yield between
        mine = _trimmed(text, replace(block, start=max(at, block.start)))
        at = max(at, block.end)
        if mine is not None:
            path = mine.heading_path
            yield mine
    rest = _trimmed(text, Block("paragraph", at, len(text), path))
    if rest is not None:
        yield rest


def _trimmed(text: str, block: Block) -> Block | None:
    if block.end <= block.start:
        return None
    piece = text[block.start : block.end]
    start = block.start + len(piece) - len(piece.lstrip())
    end = block.end - len(piece) + len(piece.rstrip())
    if end <= start:
        return None
    return (
        block if (start, end) == (block.start, block.end) else replace(block, start=start, end=end)
    )
