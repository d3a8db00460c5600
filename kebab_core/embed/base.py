"""What an embedding model must be able to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@runtime_checkable
class Embedder(Protocol):
    """Turns text into unit vectors. Safe to call from any thread."""

    @property
    def id(self) -> str:
        """Weights and how they run, `all-MiniLM-L6-v2@int8`: vectors of one id compare."""

    @property
    def provider(self) -> str:
        """The runtime: `onnx`, `sentence-transformers`, `http`, `hash`."""

    @property
    def dimensions(self) -> int: ...

    @property
    def max_tokens(self) -> int:
        """Tokens the model reads of one text, special tokens not counted."""

    def reads(self, lang: str | None) -> bool:
        """Whether the model was trained on that language (None: unknown, True)."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Shape (dimensions,), float32, unit length."""

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimensions), float32, unit rows, in the order given."""

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """Character spans of all tokens of `text`, untruncated, without special tokens."""
