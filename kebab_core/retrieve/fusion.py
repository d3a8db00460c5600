"""Rankings of several channels made one, by reciprocal rank.

score(d) = Σ over channels of weight / (k + rank of d there), with k = 60, from Cormack, Clarke
and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
Methods", SIGIR 2009. It looks at ranks alone: the score orders, and says nothing of confidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

RRF_K = 60


def fuse(
    rankings: Mapping[str, Sequence[str]], weights: Mapping[str, float] | None = None
) -> list[tuple[str, float]]:
    """Ids with their fused scores, best first.

    `rankings`: the ids each channel found, best first, none twice. `weights`: by channel, 1 where
    none is given; a channel of weight 0 adds nothing, not even its ids. Equal scores are in the
    order of their best rank, then of their ids, so the result doesn't hang on the channels' order.
    """
    scores: dict[str, float] = {}
    best: dict[str, int] = {}
    for channel in sorted(rankings):
        weight = 1.0 if weights is None else weights.get(channel, 1.0)
        if weight <= 0:
            continue
        for rank, name in enumerate(rankings[channel], start=1):
            scores[name] = scores.get(name, 0.0) + weight / (RRF_K + rank)
            best[name] = min(rank, best.get(name, rank))
    return sorted(scores.items(), key=lambda pair: (-pair[1], best[pair[0]], pair[0]))
