"""The best of what was found, put in the order that a reranker gives it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from kebab_core.errors import KebabError
from kebab_core.rerank import Reranker
from kebab_core.store import Found
from kebab_core.text.clean import for_model

CANDIDATES = 24
"""Passages that a reranker reads for a query: three times as many as are usually shown."""


class Reranked:
    """`scores`, by chunk, are the reranker's; `warning` says why there are none."""

    def __init__(self, query: str, reranker: Reranker | None) -> None:
        self.scores: dict[str, float] = {}
        self.warning: str | None = None
        self._query = query
        self._reranker = reranker

    def ordered(self, found: Iterator[tuple[Found, float]]) -> Iterator[tuple[Found, float]]:
        """The candidates by their new scores, then the rest below them, as they were.

        Where the reranker fails, all stay as they were.
        """
        if self._reranker is None:
            yield from found
            return
        candidates = list(islice(found, CANDIDATES))
        texts = [for_model(item.chunk.text) for item, _ in candidates]
        try:
            scores = self._reranker.scores(self._query, texts) if texts else []
        except KebabError as failure:
            self.warning = f"Not reranked. {failure.message}"
            yield from candidates
            yield from found
            return
        read = zip(candidates, scores, strict=True)
        self.scores.update({item.chunk.chunk_id: score for (item, _), score in read})
        best_first = sorted(
            zip(candidates, scores, strict=True), key=lambda pair: pair[1], reverse=True
        )
        yield from ((item, score) for (item, _), score in best_first)
        # Unread ones are below all that was read, in the order they had (0..1 between them).
        floor = min(scores, default=0.0) - 1.0
        rest = list(found)
        span = max((abs(score) for _, score in rest), default=0.0) or 1.0
        yield from ((item, floor + score / span - 1.0) for item, score in rest)
