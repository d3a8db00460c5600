"""The default runtime: a graph run by ONNX Runtime on the processor, without torch."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from kebab_core.embed.built import BuiltModel
from kebab_core.embed.onnx_runtime import onnxruntime
from kebab_core.embed.tokens import TextTokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_THREADS = 16


class OnnxEmbedder:
    """Runs one text at a time, passages side by side on all cores.

    In int8 the scale of the activations is that of the whole batch, so a text's vector would
    depend on what else is in it (cosine 0.985 and up). Texts on their own have one vector
    always, need no padding, and from about 200 tokens on are as fast as batches.
    """

    provider = "onnx"

    def __init__(self, built: BuiltModel, *, threads: int = 0) -> None:
        """`threads` 0: one for each core this process may use.

        Raises ValueError where the files can't be loaded: the cache is damaged.
        """
        import numpy as np
        import tokenizers  # noqa: F401 - a broken install is no damaged cache

        self._runtime = onnxruntime()
        card = built.card
        self.id = built.id
        self.dimensions = card.dimensions
        self._profile = card.profile
        self._pooling = card.pooling
        self._built = built
        self._threads = threads or min(_cores(), _MOST_THREADS)
        try:
            self._tokenizer = TextTokenizer(built.tokenizer, card.max_length)
            self._session = self._open(self._threads)
        except Exception as error:  # both libraries raise types of their own
            raise ValueError(f"{built.directory} can't be loaded: {error}") from error
        taken = {put.name for put in self._session.get_inputs()}
        self._inputs = taken & {"input_ids", "attention_mask", "token_type_ids"}
        self._output = _output(self._session)
        prefix = self._tokenizer.count(self._profile.passage_prefix)
        self.max_tokens = card.max_length - self._tokenizer.special_tokens - prefix
        self._pool_lock = threading.Lock()
        self._pool: tuple[ThreadPoolExecutor, Any] | None = None
        self._int64 = np.int64

    def reads(self, lang: str | None) -> bool:
        """The default model reads English only: other languages get vectors without meaning.

        So "en" and None (unknown) are True for it, every other language False. Multilingual
        models read all.
        """
        return self._profile.reads(lang)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vector(self._session, self._profile.query_prefix + text)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        prefix = self._profile.passage_prefix
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        if len(texts) < 2 or self._threads == 1:
            for i, text in enumerate(texts):
                vectors[i] = self._vector(self._session, prefix + text)
            return vectors
        pool, session = self._side_by_side()
        # The longest first, or the last core would sit on one alone.
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        found = pool.map(lambda i: self._vector(session, prefix + texts[i]), order)
        for i, vector in zip(order, found, strict=True):
            vectors[i] = vector
        return vectors

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        return self._tokenizer.spans(text)

    def _vector(self, session: Any, text: str) -> NDArray[np.float32]:
        import numpy as np

        ids = np.array([self._tokenizer.ids(text)], dtype=self._int64)
        given = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        feed = {name: given[name] for name in self._inputs}
        raw = np.asarray(session.run([self._output], feed)[0], dtype=np.float32)[0]
        if raw.ndim == 2:  # (length, dimensions): a graph that doesn't pool by itself
            raw = raw[0] if self._pooling == "cls" else raw.mean(axis=0)
        unit: NDArray[np.float32] = raw / max(float(np.linalg.norm(raw)), 1e-12)
        return unit

    def _side_by_side(self) -> tuple[ThreadPoolExecutor, Any]:
        """Threads, and a session in which each run keeps to the thread that calls it.

        Made when many texts first come: a query alone never pays for it.
        """
        with self._pool_lock:
            if self._pool is None:
                pool = ThreadPoolExecutor(self._threads, thread_name_prefix="embed")
                self._pool = pool, self._open(1)
            return self._pool

    def _open(self, threads: int) -> Any:
        options = self._runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # errors are raised, not written to stderr
        return self._runtime.InferenceSession(
            str(self._built.model), options, providers=["CPUExecutionProvider"]
        )


def _output(session: Any) -> str:
    """The pooled output where there is one, else the first."""
    outputs = list(session.get_outputs())
    pooled = [put.name for put in outputs if len(put.shape) == 2]
    return str(pooled[0] if pooled else outputs[0].name)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
