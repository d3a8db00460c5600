"""The sentence-transformers runtime: any of its models, on a GPU where there is one.

The only module but `rerank.cross_encoder` that imports the library, and with it torch.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module, util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kebab_core.embed.profile import Profile, profile_of
from kebab_core.errors import EmbedderUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXTRA = "pip install 'kebab[sentence-transformers]'"
_BATCH = 32


def available() -> bool:
    """Whether the library is installed. Doesn't import it."""
    return util.find_spec("sentence_transformers") is not None


def require() -> None:
    """Raises EmbedderUnavailable where the library is not installed."""
    if not available():
        raise EmbedderUnavailable(
            "embedding.runtime is sentence-transformers, which is not installed.",
            f"Run `{EXTRA}`, or set embedding.runtime to auto.",
        )


class SentenceTransformerEmbedder:
    """Runs the library's own model, in the precision of its weights."""

    provider = "sentence-transformers"

    def __init__(self, name: str, source: str | Path, *, fetch: bool, device: str = "") -> None:
        """`source` is a folder or a hub name; without `fetch` the hub isn't asked.

        Raises EmbedderUnavailable.
        """
        require()
        with _quiet():
            self._model: Any = _load(name, source, fetch=fetch, device=device)
            dimensions = self._model.get_embedding_dimension()
        if not dimensions:
            raise EmbedderUnavailable(
                f"The model {name} doesn't say how long its vectors are.",
                "Set embedding.model to another model.",
            )
        self.id = f"{name}@fp32"
        self.dimensions = int(dimensions)
        self._profile = _profile(name, source, self._model)
        self._lock = threading.Lock()
        specials = len(self._ids("", special=True)["input_ids"])
        prefix = len(self._ids(self._profile.passage_prefix)["input_ids"])
        limit = self._model.max_seq_length or 512
        self.max_tokens = max(int(limit) - specials - prefix, 1)

    def reads(self, lang: str | None) -> bool:
        return self._profile.reads(lang)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._embed([self._profile.query_prefix + text])[0]
        return vector

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return self._embed([self._profile.passage_prefix + text for text in texts])

    def token_spans(self, text: str) -> list[tuple[int, int]]:
        offsets = self._ids(text, offsets=True)["offset_mapping"]
        spans: list[tuple[int, int]] = []
        for start, end in offsets:
            while start < end and text[start].isspace():  # SentencePiece's own blank
                start += 1
            if start < end:
                spans.append((start, end))
        return spans

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        # The library's tokenizer is not made for several threads at once.
        with self._lock, _quiet():
            vectors = self._model.encode(
                texts,
                prompt="",
                batch_size=_BATCH,
                show_progress_bar=False,
                convert_to_numpy=True,
                normalize_embeddings=True,
            )
        return np.asarray(vectors, dtype=np.float32)

    def _ids(self, text: str, *, special: bool = False, offsets: bool = False) -> Any:
        with self._lock:
            return self._model.tokenizer(
                text,
                add_special_tokens=special,
                return_offsets_mapping=offsets,
                return_attention_mask=False,
                return_token_type_ids=False,
                truncation=False,
                verbose=False,
            )


def _load(name: str, source: str | Path, *, fetch: bool, device: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(str(source), device=device or None, local_files_only=not fetch)
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        first = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        hint = "Check embedding.model and the network."
        if not fetch and not isinstance(source, Path):
            hint = "Run `kebab models install`. Until then search is lexical only."
        raise EmbedderUnavailable(
            f"sentence-transformers can't load {name}: {first[:200]}", hint
        ) from error
    if not getattr(model.tokenizer, "is_fast", False):
        raise EmbedderUnavailable(
            f"The tokenizer of {name} can't say where its tokens are, which chunks are cut by.",
            "Set embedding.model to a model with a tokenizer.json.",
        )
    return model


def _profile(name: str, source: str | Path, model: Any) -> Profile:
    card = Path(source) / "README.md"
    prompts = {key: value for key, value in model.prompts.items() if value}
    vocabulary = getattr(model.tokenizer, "vocab_size", None)
    return profile_of(
        name if name.count("/") else f"/{name}",
        prompts=prompts,
        card=card.read_text("utf-8", "replace") if card.is_file() else "",
        vocabulary=vocabulary if isinstance(vocabulary, int) else None,
    )


@contextmanager
def _quiet() -> Iterator[None]:
    """The library and those below it warn, log and draw bars on stderr; the core writes nothing."""
    bars: Any = import_module("transformers.utils.logging")
    loggers = [logging.getLogger(n) for n in ("sentence_transformers", "transformers", "torch")]
    levels = [logger.level for logger in loggers]
    drawn = bars.is_progress_bar_enabled()
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    bars.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        if drawn:
            bars.enable_progress_bar()
