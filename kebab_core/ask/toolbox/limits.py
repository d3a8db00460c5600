"""How far one run may research: steps, documents, seconds, and room in the model's context."""

from __future__ import annotations

import time

from kebab_core.llm.tokens import estimate

MAX_STEPS = 6
MAX_DOCUMENTS = 8
"""Documents and pages that tools may add to those of the first search."""


class Limits:
    """What is left of each. The clock runs from the first call, so that a slow first turn of the
    model doesn't use it up."""

    def __init__(self, seconds: float, room: int | None) -> None:
        """`room` in tokens; None: no limit."""
        self._seconds = seconds
        self._room = room
        self._begun: float | None = None
        self._steps = 0
        self._documents: set[str] = set()

    def seconds_left(self) -> float:
        """Never below 0. The first look starts the clock."""
        now = time.monotonic()
        if self._begun is None:
            self._begun = now
        return max(0.0, self._begun + self._seconds - now)

    def take_step(self) -> bool:
        """Whether one more call may be made; it is counted."""
        self._steps += 1
        return self._steps <= MAX_STEPS

    @property
    def has_steps(self) -> bool:
        return self._steps < MAX_STEPS

    def take_document(self, doc_id: str) -> bool:
        """Whether that document may be read; it is counted once."""
        if doc_id not in self._documents and len(self._documents) == MAX_DOCUMENTS:
            return False
        self._documents.add(doc_id)
        return True

    def reserve(self, tokens: int) -> None:
        """Take room for something that is sent anyway."""
        if self._room is not None:
            self._room = max(0, self._room - tokens)

    def take_room(self, text: str) -> bool:
        """Whether `text` still fits; its place is taken."""
        if self._room is None:
            return True
        size = estimate(text) + 1
        if size > self._room:
            return False
        self._room -= size
        return True

    def fitting(self, text: str) -> str:
        """As much of the start of `text` as fits by now."""
        if self._room is None or estimate(text) <= self._room:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if estimate(text[:middle]) <= self._room:
                low = middle
            else:
                high = middle - 1
        return text[:low]
