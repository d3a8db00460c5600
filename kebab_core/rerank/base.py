"""What a reranker is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Safe to use from several threads."""

    @property
    def id(self) -> str:
        """What it is called in messages."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers, in the order given; any scale, more is better.

        Raises EmbedderUnavailable.
        """
