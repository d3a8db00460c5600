"""Measures of one ranking against what is known to be right.

`found` is what a search gave, best first, none twice; `right` is what it should have given. Each
is a number from 0 to 1, and 0 where nothing is right.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from math import ceil, log2


def ndcg(found: Sequence[Hashable], right: Collection[Hashable], k: int) -> float:
    """Normalised discounted cumulative gain at `k`, every right one worth the same.

    Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002, with the
    discount log2(rank + 1).
    """
    gain = sum(1 / log2(rank + 1) for rank, one in enumerate(found[:k], start=1) if one in right)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(k, len(right)) + 1))
    return gain / ideal if ideal else 0.0


def recall(found: Sequence[Hashable], right: Collection[Hashable], k: int) -> float:
    """The share of what is right among the first `k`."""
    return sum(one in right for one in found[:k]) / len(right) if right else 0.0


def reciprocal_rank(found: Sequence[Hashable], right: Collection[Hashable]) -> float:
    """One over the rank of the first right one."""
    return next((1 / rank for rank, one in enumerate(found, start=1) if one in right), 0.0)


def hit(found: Sequence[Hashable], right: Collection[Hashable]) -> float:
    """1 if the first is right."""
    return float(bool(found) and found[0] in right)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of `values` that `share` of them don't exceed (nearest rank)."""
    if not values:
        return 0.0
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]


def precision_and_recall(said: Sequence[bool], true: Sequence[bool]) -> tuple[float, float]:
    """Of a judgement made of each question, against what is true of each.

    Precision is 1 where the judgement was never made, recall 1 where it never should have been.
    """
    both = sum(a and b for a, b in zip(said, true, strict=True))
    made, should = sum(said), sum(true)
    return (both / made if made else 1.0), (both / should if should else 1.0)
