"""An estimate, from 0 to 1, that a passage answers: what the bar of abstention is measured on.

A fused rank says nothing of confidence; this does. It is the larger of two estimates, each for
a channel that can read the query:

- of meaning: the cosine of query and passage, through a logistic curve;
- of words: the share of the query's terms that the passage holds, each weighing as much as it
  is rare (IDF), through a curve of its own.

`python -m benchmarks.calibration` fits the curves again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import NamedTuple

from kebab_core.store import Store


class Curve(NamedTuple):
    """1 / (1 + exp(-steepness · (x - middle))): 0.5 at `middle`, always rising."""

    middle: float
    steepness: float

    def at(self, x: float) -> float:
        return 1.0 / (1.0 + exp(-self.steepness * (x - self.middle)))


COSINE = Curve(middle=0.54, steepness=14.5)
SHARE = Curve(middle=0.57, steepness=10.2)
CALIBRATED_GATE = 0.4
"""Refuses 6 % of ClapNQ's and XQuAD's answerable questions, 61 % of the unanswerable ones whose
right article is there, and 92 % of those about something else."""


def idf(frequency: int, total: int) -> float:
    """How much a term tells: ln(1 + (N - df + ½) / (df + ½)), BM25's form that is never negative.

    Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009;
    the 1 inside is Lucene's.
    """
    frequency = min(frequency, total)
    return log(1.0 + (total - frequency + 0.5) / (frequency + 0.5))


def found_share(terms: str, weights: Mapping[str, float]) -> float | None:
    """The share of the query's weight that a passage holds; None for a query without terms.

    `terms` are the passage's, joined by spaces; `weights` the query's terms with their IDF.
    """
    whole = sum(weights.values())
    if whole <= 0:
        return None
    held = set(terms.split())
    return sum(weight for term, weight in weights.items() if term in held) / whole


class Scale:
    """The measure for the hits of one query."""

    def __init__(self, store: Store, terms: Sequence[str], *, cosine_counts: bool) -> None:
        """`cosine_counts`: whether the embedder reads the query's language."""
        self._cosine_counts = cosine_counts
        counts, total = store.document_frequencies(terms) if terms else ({}, 0)
        self._weights = {term: idf(count, total) for term, count in counts.items()}

    def relevance(self, terms: str, cosine: float | None) -> float | None:
        """Of a passage with those terms and that cosine (None: not known).

        None where neither channel can tell.
        """
        estimates: list[float] = []
        if cosine is not None and self._cosine_counts:
            estimates.append(COSINE.at(cosine))
        share = found_share(terms, self._weights)
        if share is not None:
            estimates.append(SHARE.at(share))
        return max(estimates, default=None)
