"""Passages found by a tool, handed to the model: new ones fenced and numbered, known ones named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kebab_core.ask.passages import Passages
from kebab_core.ask.prompts.messages import passage
from kebab_core.ask.toolbox.limits import MAX_DOCUMENTS, Limits
from kebab_core.types import Hit

NO_ROOM = "The model's context is full: answer from what you have."


class Giving:
    """Remembers what the model has been shown in this run."""

    def __init__(self, limits: Limits, shown: Iterable[int]) -> None:
        self._limits = limits
        self._shown = set(shown)

    def give(
        self, found: Sequence[Hit], passages: Passages, nothing: str
    ) -> tuple[str, tuple[Hit, ...]]:
        """What the model reads of `found`, in rank order, and the hits under their numbers.

        Only what it really is shown gets a number.
        """
        read_before = {hit.chunk.doc_id for hit in passages.hits}
        parts: list[str] = []
        given: list[Hit] = []
        known: list[int] = []
        too_many = no_room = 0
        for hit in found:
            n = passages.number(hit.chunk.chunk_id)
            if n is not None and n in self._shown:
                known.append(n)
                given.append(passages[n])
                continue
            doc_id = hit.chunk.doc_id
            # A result of a web search is a pointer; reading the page counts.
            is_free = hit.kind == "web" or doc_id in read_before
            if not is_free and not self._limits.take_document(doc_id):
                too_many += 1
            elif not self._limits.take_room(passage(hit.numbered(len(passages) + 1))):
                no_room += 1
            else:
                (numbered,) = passages.add([hit])
                parts.append(self.show(numbered))
                given.append(numbered)
        if known:
            parts.append(f"Shown above already: {named(known)}.")
        if too_many:
            parts.append(f"Left out: {too_many}. A run reads {MAX_DOCUMENTS} further documents.")
        if no_room:
            parts.append(f"Left out: {no_room}. {NO_ROOM}")
        return "\n\n".join(parts) or nothing, tuple(given)

    def show(self, hit: Hit) -> str:
        """A passage whose place is taken already, as the model reads it."""
        if hit.n is not None:
            self._shown.add(hit.n)
        return passage(hit)


def named(numbers: Iterable[int | None]) -> str:
    return " ".join(f"[{n}]" for n in numbers)
