"""In how many chunks a term occurs, without asking the index about each term."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from kebab_core.store.chunks import Chunks
from kebab_core.store.engine import Engine
from kebab_core.store.schema import CHUNKS

SAMPLE = 2_048
"""Chunks looked at. A corpus no larger is counted exactly; of a larger one a sample is taken,
which puts the IDF of all but the rarest terms within a few tenths. Counting them takes some
hundredths of a second, once a commit; a full-text search for each term would cost more."""


class Frequencies:
    """Counts are kept until the table changes. Safe from any thread."""

    def __init__(self, engine: Engine, chunks: Chunks) -> None:
        self._engine = engine
        self._chunks = chunks
        self._lock = threading.Lock()
        self._stamp: Hashable = None
        self._counts: Mapping[str, int] = {}
        self._sampled = 0
        self._total = 0

    def of(self, terms: Sequence[str]) -> tuple[dict[str, int], int]:
        """Chunks that hold each term, and how many chunks there are.

        Exact up to `SAMPLE` chunks; estimated beyond, and then never 0.
        """
        with self._lock:
            stamp = self._engine.stamp(CHUNKS)
            if stamp != self._stamp:
                texts, self._total = self._chunks.sample_of_terms(SAMPLE)
                self._counts, self._sampled = _counted(texts), len(texts)
                self._stamp = stamp
            return {term: self._estimate(self._counts.get(term, 0)) for term in terms}, self._total

    def _estimate(self, count: int) -> int:
        if self._sampled == self._total:
            return count
        # Not in the sample doesn't mean nowhere: half a sampled chunk stands for it.
        return max(1, round(max(count, 0.5) * self._total / self._sampled))


def _counted(texts: Any) -> dict[str, int]:
    """In how many of `texts`, an Arrow array of terms joined by spaces, each term occurs."""
    import numpy as np
    import pyarrow.compute as pc

    terms = pc.split_pattern(texts, " ")
    row = pc.list_parent_indices(terms).to_numpy().astype(np.int64)
    coded = pc.list_flatten(terms).dictionary_encode()
    # A pair of row and term, once however often the term stands in the row.
    width = max(len(coded.dictionary), 1)
    pairs = np.unique(row * width + coded.indices.to_numpy().astype(np.int64))
    counts = np.bincount(pairs % width, minlength=width)
    found = dict(zip(coded.dictionary.to_pylist(), counts.tolist(), strict=False))
    found.pop("", None)
    return found
