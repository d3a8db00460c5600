"""An embedder that needs no model: texts with the same words get similar vectors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from kebab_core.text.terms import query_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TOKEN = re.compile(r"\w+|[^\w\s]")


class HashEmbedder:
    """Bag of words by hashing: each term adds or subtracts one in a component of its own.

    Terms are those of full-text search without function words, so "how do I reset it" is near
    "resetting passwords" and unrelated texts are near 0. Deterministic on every machine.
    """

    provider = "hash"

    def __init__(
        self, dimensions: int = 256, *, max_tokens: int = 254, languages: Sequence[str] = ()
    ) -> None:
        """`languages` limits what `reads` admits to; empty: it reads all."""
        if dimensions < 2:
            raise ValueError(f"a vector needs 2 dimensions at least, not {dimensions}")
        self.dimensions = dimensions
        self.max_tokens = max_tokens
        self.id = f"hash@{dimensions}"
        self._languages = frozenset(languages)

    def reads(self, lang: str | None) -> bool:
        return lang is None or not self._languages or lang in self._languages

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vector(text)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([self._vector(text) for text in texts])

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Words and single punctuation marks."""
        return [match.span() for match in _TOKEN.finditer(text)]

    def _vector(self, text: str) -> NDArray[np.float32]:
        import numpy as np

        spans = self.token_spans(text)
        read = text[: spans[self.max_tokens - 1][1]] if len(spans) > self.max_tokens else text
        vector = np.zeros(self.dimensions, dtype=np.float32)
        for term in Counter(query_terms(read)):
            digest = int.from_bytes(blake2b(term.encode(), digest_size=8).digest(), "big")
            vector[(digest >> 1) % self.dimensions] += 1.0 if digest & 1 else -1.0
        norm = float(np.linalg.norm(vector))
        if norm == 0:  # no words at all, or words that cancel out
            vector[0] = norm = 1.0
        unit: NDArray[np.float32] = vector / np.float32(norm)
        return unit
