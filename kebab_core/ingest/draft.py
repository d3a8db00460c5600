"""A chunk in the making, and what is embedded before its own text."""

from __future__ import annotations

from dataclasses import dataclass

from kebab_core.ingest.measure import Tokenizer
from kebab_core.ingest.sections import Section
from kebab_core.text.clean import for_model
from kebab_core.types import Block, heading_label


@dataclass(frozen=True, slots=True)
class Draft:
    """`first` and `last` are the blocks that it begins and ends in."""

    start: int
    end: int
    first: Block
    last: Block
    symbols: tuple[str, ...] = ()
    goes_on: bool = False
    """It begins inside a block: what that is called must be said, it doesn't say so itself."""


class Prefixes:
    """What is embedded before a chunk's own text: the title and the headings it doesn't hold."""

    def __init__(self, title: str | None, section: Section, tokenizer: Tokenizer) -> None:
        self._title = title
        self._path = section.heading_path
        self._own = section.headings
        self._first = section.blocks[0].start
        self._tokenizer = tokenizer
        self._known: dict[tuple[str, ...], tuple[str, int]] = {}

    def of(self, draft: Draft) -> tuple[str, int]:
        """The text, empty or ended by a newline, and its tokens."""
        path = self._path[: -self._own] if draft.start == self._first and self._own else self._path
        parts = path if self._title is None or self._title in self._path else (self._title, *path)
        if draft.goes_on:
            parts += draft.symbols[:1]
        if draft.first.context is not None:
            parts += (draft.first.context,)
        if parts not in self._known:
            self._known[parts] = self._made(parts)
        return self._known[parts]

    def _made(self, parts: tuple[str, ...]) -> tuple[str, int]:
        shown = [" ".join(for_model(part).split()) for part in parts]
        text = heading_label([part for part in shown if part])
        spans = self._tokenizer.spans(text)
        # A quarter of what the model reads is the most that headings may take.
        most = self._tokenizer.limit // 4
        if len(spans) > most:
            text = text[spans[-most][0] :] if most else ""
        return (text + "\n", self._tokenizer.count(text)) if text else ("", 0)
