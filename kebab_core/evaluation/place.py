"""A document, or lines or a page of it, as golden sets and people name them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kebab_core.types import Chunk

_FRAGMENT = re.compile(r"#(?:L(?P<start>\d{1,9})(?:-L?(?P<end>\d{1,9}))?|page=(?P<page>\d{1,9}))\Z")


@dataclass(frozen=True, slots=True)
class Place:
    """`path` is a document's path or the end of it; lines and page are 1-based, None for all."""

    path: str
    start: int | None = None
    end: int | None = None
    page: int | None = None

    def __str__(self) -> str:
        if self.page is not None:
            return f"{self.path}#page={self.page}"
        return f"{self.path}#L{self.start}-L{self.end}" if self.start is not None else self.path

    def holds(self, chunk: Chunk) -> bool:
        """Whether the chunk is of that document and touches those lines, or that page."""
        if not is_called(chunk.source_id, chunk.doc_path, self.path):
            return False
        if self.page is not None:
            return chunk.page == self.page
        if self.start is None or self.end is None:
            return True
        return chunk.line_start <= self.end and chunk.line_end >= self.start


def parse(text: str) -> Place:
    """`path`, `path#L12`, `path#L12-L34` or `path#page=3`; anything else is a path."""
    match = _FRAGMENT.search(text)
    if match is None:
        return Place(text)
    path = text[: match.start()]
    if (page := match["page"]) is not None:
        return Place(path, page=int(page))
    start = int(match["start"])
    end = int(match["end"] or start)
    return Place(path, min(start, end), max(start, end))


def is_called(source_id: str, doc_path: str, name: str) -> bool:
    """Whether a document's path, within its source or with it, ends in the folders of `name`."""
    wanted = name.removeprefix("./").strip("/")
    return bool(wanted) and f"/{source_id}/{doc_path}".endswith(f"/{wanted}")
