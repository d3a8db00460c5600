"""The passages of one run and their numbers."""

from __future__ import annotations

from collections.abc import Iterable

from kebab_core.types import Hit


class Passages:
    """Numbers are global to the run: a chunk gets one where it first appears, and keeps it."""

    def __init__(self) -> None:
        self._hits: dict[int, Hit] = {}
        self._numbers: dict[str, int] = {}

    def add(self, hits: Iterable[Hit]) -> tuple[Hit, ...]:
        """The same hits under their numbers, from 1."""
        numbered = []
        for hit in hits:
            n = self._numbers.setdefault(hit.chunk.chunk_id, len(self._numbers) + 1)
            known = self._hits.setdefault(n, hit.numbered(n))
            numbered.append(known)
        return tuple(numbered)

    @property
    def hits(self) -> tuple[Hit, ...]:
        return tuple(self._hits.values())

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(self._hits)

    def __getitem__(self, n: int) -> Hit:
        return self._hits[n]

    def __len__(self) -> int:
        return len(self._hits)
