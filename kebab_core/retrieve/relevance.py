"""An estimate, from 0 to 1, that a passage answers: what the bar of abstention is measured on.

A fused rank says nothing of confidence; this does. It is the larger of two estimates, each for
a channel that can read the query, on curves that were fitted to labelled questions:

- of meaning: the cosine of query and passage;
- of words: the share of the query's words, weighed by rarity, that the passage holds.

`python -m benchmarks.calibration` fits the curves again and prints what each bar refuses.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from kebab_core.retrieve.coverage import Coverage


class Curve(NamedTuple):
    """1 / (1 + exp(-steepness · (x - middle))): ½ at `middle`, rising everywhere."""

    middle: float
    steepness: float

    def at(self, x: float) -> float:
        return 1.0 / (1.0 + exp(-self.steepness * (x - self.middle)))


COSINE = Curve(middle=0.495, steepness=10.8)
SHARE = Curve(middle=0.62, steepness=6.9)
SHARE_ALONE = Curve(middle=0.46, steepness=6.9)
"""For a query that only the words were searched for: passages that a vector would have vouched
for must pass by their words, so less is asked of them. Fitted to 0.49 in English, lowered for
Chinese."""

CALIBRATED_GATE = 0.45
"""Refuses 8, 9 and 4 % of the answerable questions of ClapNQ, MTRAG-UN and XQuAD; 57 % of the
unanswerable ones whose right article is there, 74 and 64 % of those whose passage was taken out.

By words alone it refuses up to 10 % of answerable questions in English, Chinese and Korean, 20 %
in German, whose compounds and endings the index doesn't take apart."""


class Scale:
    """The measure for the passages of one query."""

    def __init__(self, coverage: Coverage, *, by_meaning: bool) -> None:
        """`by_meaning`: a channel ran that searches by meaning and reads the query's language."""
        self._by_meaning = by_meaning
        self._coverage = coverage

    def relevance(self, terms: str, cosine: float | None) -> float | None:
        """Of a passage with those terms, joined by spaces, and that cosine (None: not known).

        None where neither channel can tell.
        """
        share = self._coverage.share(terms.split())
        if not self._by_meaning:
            return None if share is None else SHARE_ALONE.at(share)
        estimates = [] if share is None else [SHARE.at(share)]
        if cosine is not None:
            estimates.append(COSINE.at(cosine))
        return max(estimates, default=None)
