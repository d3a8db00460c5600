"""What each channel is worth for one query, by what it found.

A channel that can't read a passage, or that returned noise, must not drag the other down:

- a passage in a language that the embedder wasn't trained on has no place in its ranking;
- the words count by how much of the query the best passages found by them hold. A Chinese
  question in an English corpus meets a number here and a name there: that is no ranking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kebab_core.embed.base import Embedder
from kebab_core.retrieve.channels import Channels
from kebab_core.retrieve.coverage import Coverage
from kebab_core.store import Found

LEXICAL, VECTOR = 0.5, 0.5
"""Weights of two channels that both read the query; anything from 0.4 to 0.6 does as well."""
FULL_SHARE = 0.5
"""From this share of the query's words on, the words count in full."""
NOISE = 0.1
"""Below this share they don't count at all."""
_LOOKED_AT = 5


@dataclass(frozen=True, slots=True)
class Weighed:
    """The channels without what they can't read, their weights, and why."""

    channels: Channels
    weights: dict[str, float]
    unread: tuple[str, ...]
    """Languages of passages that the embedder doesn't read, the commonest first."""
    notes: tuple[str, ...]


def weigh(found: Channels, embedder: Embedder | None, coverage: Coverage) -> Weighed:
    """For a hybrid search. Where one channel alone ran, it has all the weight."""
    unread: Counter[str] = Counter()
    notes: list[str] = []
    vector = found.vector
    if vector is not None and embedder is not None:
        unread.update(
            item.chunk.lang or "" for item in vector if not embedder.reads(item.chunk.lang)
        )
        vector = [item for item in vector if embedder.reads(item.chunk.lang)]
        for lang, count in unread.most_common():
            notes.append(f"meaning: {count} passages in {lang} left out, not read by {embedder.id}")
        if unread and not vector:
            vector = None
    channels = replace(found, vector=vector)
    weights = {"lexical": LEXICAL, "vector": VECTOR if vector else 0.0}
    if vector and found.lexical:
        share = _best_share(found.lexical, coverage)
        if share is not None:
            weights["lexical"] *= _worth(share)
            notes.append(f"words: the best passages hold {share:.0%} of the query's")
    notes.append(f"weights: words {weights['lexical']:.2f}, meaning {weights['vector']:.2f}")
    return Weighed(channels, weights, tuple(lang for lang, _ in unread.most_common()), tuple(notes))


def _best_share(found: Sequence[Found], coverage: Coverage) -> float | None:
    shares = [coverage.share(item.terms.split()) for item in found[:_LOOKED_AT]]
    return max((share for share in shares if share is not None), default=None)


def _worth(share: float) -> float:
    """0 to 1, rising evenly from `NOISE` to `FULL_SHARE`."""
    return min(1.0, max(0.0, (share - NOISE) / (FULL_SHARE - NOISE)))
