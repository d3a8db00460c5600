"""In how many chunks a term occurs, without asking the index about each term."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from kebab_core.store.chunks import Chunks
from kebab_core.store.engine import Engine
from kebab_core.store.schema import CHUNKS

SAMPLE = 4_096
"""Chunks looked at. A corpus no larger is counted exactly; of a larger one an even sample is
taken, which puts a term's IDF within a few tenths. Reading it costs about as much as two
full-text searches, once a commit; counting by full-text search costs one search a term."""


class Frequencies:
    """Counts are kept until the table changes. Safe from any thread."""

    def __init__(self, engine: Engine, chunks: Chunks) -> None:
        self._engine = engine
        self._chunks = chunks
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._padded: Any = None
        self._sampled = 0
        self._total = 0
        self._counts: dict[str, int] = {}

    def of(self, terms: Sequence[str]) -> tuple[dict[str, int], int]:
        """Chunks that hold each term, and how many chunks there are.

        Exact up to `SAMPLE` chunks; estimated beyond, and then never 0.
        """
        with self._lock:
            self._refresh()
            for term in terms:
                if term not in self._counts:
                    self._counts[term] = self._counted(term)
            return {term: self._counts[term] for term in terms}, self._total

    def _refresh(self) -> None:
        stamp = self._engine.stamp(CHUNKS)
        if stamp == self._stamp:
            return
        import pyarrow.compute as pc

        terms, total = self._chunks.sample_of_terms(SAMPLE)
        # Each term between two spaces, so that a substring can't be part of another term.
        self._padded = pc.binary_join_element_wise("", terms, "", " ")
        self._sampled, self._total = len(terms), total
        self._counts = {}
        self._stamp = stamp

    def _counted(self, term: str) -> int:
        import pyarrow.compute as pc

        if not self._sampled:
            return 0
        hits = pc.sum(pc.match_substring(self._padded, f" {term} ")).as_py() or 0
        if self._sampled == self._total:
            return int(hits)
        # Not in the sample doesn't mean nowhere: half a sampled chunk stands for it.
        return max(1, round(max(hits, 0.5) * self._total / self._sampled))
