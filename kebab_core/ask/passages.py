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
            n = self._numbers.setdefault(hit.chunk.chunk_id, len(self._hits) + 1)
            known = self._hits.setdefault(n, hit.numbered(n))
            numbered.append(known)
        return tuple(numbered)

    def renew(self, n: int, hit: Hit) -> Hit:
        """Put a fuller text in the place of passage `n`: a page where its excerpt stood."""
        self._numbers[hit.chunk.chunk_id] = n
        self._hits[n] = hit.numbered(n)
        return self._hits[n]

    def number(self, chunk_id: str) -> int | None:
        """The number that a chunk has, None if it wasn't given yet."""
        return self._numbers.get(chunk_id)

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
