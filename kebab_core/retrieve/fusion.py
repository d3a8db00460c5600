"""Rankings of several channels made one, by a weighted sum of their scores.

Each channel's scores are stretched to 0..1, from the lowest to the highest of its candidates,
and added up by weight: the convex combination of Bruch, Gai and Ingber, "An Analysis of Fusion
Functions for Hybrid Retrieval", ACM TOIS 42(1), 2023. Unlike ranks, scores say how far the first
is ahead of the second, so a channel that is sure outweighs one that isn't; on the public
collections that is worth two hundredths of nDCG@10 over reciprocal ranks
(`python -m benchmarks.quality`).

What a channel is worth is decided before, from evidence: see `retrieve.weighing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Scored = Sequence[tuple[str, float]]


def fuse(channels: Mapping[str, Scored], weights: Mapping[str, float]) -> list[tuple[str, float]]:
    """Ids with their fused scores in 0..1, best first.

    `channels`: the ids each channel found with their scores, best first, none twice. `weights`,
    by channel, needn't add up to 1; a channel of weight 0 adds nothing, not even its ids. What
    only one channel found gets nothing from the others. Equal scores are in the order of their
    best rank, then of their ids, so the result doesn't hang on the channels' order.
    """
    used = {name: found for name, found in sorted(channels.items()) if weights.get(name, 0) > 0}
    whole = sum(weights[name] for name, found in used.items() if found)
    scores: dict[str, float] = {}
    best: dict[str, int] = {}
    for name, found in used.items():
        for rank, (one, share) in enumerate(_stretched(found), start=1):
            scores[one] = scores.get(one, 0.0) + share * weights[name] / whole
            best[one] = min(rank, best.get(one, rank))
    return sorted(scores.items(), key=lambda pair: (-pair[1], best[pair[0]], pair[0]))


def _stretched(found: Scored) -> list[tuple[str, float]]:
    """To 0..1; all 1 where all are equal."""
    if not found:
        return []
    values = [score for _, score in found]
    low, high = min(values), max(values)
    if high <= low:
        return [(one, 1.0) for one, _ in found]
    return [(one, (score - low) / (high - low)) for one, score in found]
