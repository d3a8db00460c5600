"""Vectors for chunks: those of texts embedded before are taken, only the rest is computed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kebab_core.types import Chunk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kebab_core.embed.base import Embedder

_STEP_S = 0.25
"""Seconds of embedding between two looks at whether the run goes on."""
_SMALLEST, _LARGEST = 4, 128


class Embedding:
    """`known` looks hashes up in the store: the chunks there are the vector cache."""

    def __init__(
        self,
        embedder: Embedder,
        known: Callable[[Sequence[str]], Mapping[str, NDArray[np.float32]]] | None,
    ) -> None:
        self._embedder = embedder
        self._known = known
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._before: dict[str, NDArray[np.float32]] = {}
        self._computed = 0
        self._step = 16

    def compute(self, chunks: Sequence[Chunk]) -> Iterator[int]:
        """Find or compute the vectors of one batch; yields after each step how many it computed."""
        # The batch before may not be committed yet, so that the store doesn't know it.
        self._before, self._vectors = self._vectors, {}
        self._computed = 0
        texts = {chunk.embed_hash: chunk.embed_text for chunk in chunks}
        for key in texts:
            if key in self._before:
                self._vectors[key] = self._before[key]
        missing = [key for key in texts if key not in self._vectors]
        if self._known is not None and missing:
            self._vectors.update(self._known(missing))
            missing = [key for key in missing if key not in self._vectors]
        # Texts of like length together: nothing is padded to the length of another.
        missing.sort(key=lambda key: (len(texts[key]), key))
        at = 0
        while at < len(missing):
            keys = missing[at : at + self._step]
            begun = time.monotonic()
            rows = self._embedder.embed_passages([texts[key] for key in keys])
            self._vectors.update(zip(keys, rows, strict=True))
            self._adapt(len(keys), time.monotonic() - begun)
            self._computed += len(keys)
            at += len(keys)
            yield len(keys)

    def counts(self, chunks: int) -> tuple[int, int]:
        """Of the last batch: vectors computed, and chunks that needed none of their own."""
        return self._computed, chunks - self._computed

    def matrix(self, chunks: Sequence[Chunk]) -> NDArray[np.float32]:
        """Shape (len(chunks), dimensions), float32, of chunks of the last batch."""
        import numpy as np

        if not chunks:
            return np.zeros((0, self._embedder.dimensions), dtype=np.float32)
        return np.stack([self._vectors[chunk.embed_hash] for chunk in chunks])

    def _adapt(self, texts: int, seconds: float) -> None:
        if seconds > 0:
            wanted = int(texts / seconds * _STEP_S)
            self._step = max(_SMALLEST, min(_LARGEST, wanted, self._step * 2))
