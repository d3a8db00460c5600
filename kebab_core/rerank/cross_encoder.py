"""A cross-encoder of sentence-transformers: any model of its kind, on a GPU where there is one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib import util
from typing import Any

from kebab_core.errors import EmbedderUnavailable

EXTRA = "pip install 'kebab[sentence-transformers]'"
_BATCH = 16


class CrossEncoderReranker:
    """Loaded at once, so that a model that isn't there is said before anything is searched."""

    def __init__(self, name: str, *, fetch: bool) -> None:
        """`name`: a folder or a hub name. Raises EmbedderUnavailable."""
        if util.find_spec("sentence_transformers") is None:
            raise EmbedderUnavailable(
                f"search.rerank is {name}, and sentence-transformers is not installed.",
                f"Run `{EXTRA}`, or leave search.rerank empty.",
            )
        from sentence_transformers import CrossEncoder

        self.id = name
        self._lock = threading.Lock()
        try:
            self._model: Any = CrossEncoder(name, local_files_only=not fetch)
        except Exception as failure:  # the library raises what its parts raise
            raise EmbedderUnavailable(
                f"The reranker {name} can't be loaded ({type(failure).__name__}).",
                "Name a folder or a model that is there, or leave search.rerank empty.",
            ) from failure

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        pairs = [(query, text) for text in texts]
        with self._lock:
            found = self._model.predict(pairs, batch_size=_BATCH, show_progress_bar=False)
        return [float(score) for score in found]
