"""A sentence-transformers folder, read without the library."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kebab_core.embed.bert_graph import BertShape, NotBertShaped, Pooling
from kebab_core.embed.profile import Profile, profile_of

_NO_LIMIT = 100_000
"""Tokenizers without a limit of their own say 10^30."""


class UnsupportedFolder(ValueError):
    """The ONNX runtime can't run what is in the folder; the message says why."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """`weights` is the file the vectors follow from: safetensors, or a ready ONNX graph.

    `shape` is None where the weights are a ready graph. `max_length` counts special tokens.
    """

    path: Path
    weights: Path
    tokenizer: Path
    shape: BertShape | None
    pooling: Pooling
    max_length: int
    profile: Profile


def read_folder(path: Path, name: str) -> ModelFolder:
    """Raises UnsupportedFolder."""
    tokenizer = path / "tokenizer.json"
    if not tokenizer.is_file():
        raise UnsupportedFolder("it has no tokenizer.json")
    config = _json(path / "config.json")
    pooling = _pooling(path)
    weights, shape = _weights(path, config)
    told = _json(path / "config_sentence_transformers.json")
    card = path / "README.md"
    vocabulary = config.get("vocab_size")
    return ModelFolder(
        path=path,
        weights=weights,
        tokenizer=tokenizer,
        shape=shape,
        pooling=pooling,
        max_length=_max_length(path, config),
        profile=profile_of(
            name,
            prompts=told.get("prompts") if isinstance(told.get("prompts"), dict) else None,
            card=card.read_text("utf-8", "replace") if card.is_file() else "",
            vocabulary=vocabulary if isinstance(vocabulary, int) else None,
        ),
    )


def _weights(path: Path, config: Mapping[str, Any]) -> tuple[Path, BertShape | None]:
    safetensors = path / "model.safetensors"
    ready = next((p for p in (path / "onnx/model.onnx", path / "model.onnx") if p.is_file()), None)
    reason = "it has neither model.safetensors nor onnx/model.onnx"
    if safetensors.is_file():
        try:
            return safetensors, BertShape.of(config)
        except NotBertShaped as error:
            reason = f"{error}, and it brings no onnx/model.onnx"
    if ready is None:
        raise UnsupportedFolder(reason)
    return ready, None


def _pooling(path: Path) -> Pooling:
    modules = _json_list(path / "modules.json")
    kinds = {str(m.get("type", "")).rsplit(".", 1)[-1]: str(m.get("path", "")) for m in modules}
    others = set(kinds) - {"Transformer", "Pooling", "Normalize"}
    if others:
        raise UnsupportedFolder(f"it has a {', '.join(sorted(others))} layer after the encoder")
    told = _json(path / kinds.get("Pooling", "1_Pooling") / "config.json")
    mode = told.get("pooling_mode")
    if not isinstance(mode, str):
        prefix = "pooling_mode_"
        modes = [
            key.removeprefix(prefix).removesuffix("_tokens").removesuffix("_token")
            for key, value in told.items()
            if key.startswith(prefix) and value is True
        ]
        mode = "+".join(modes) or "mean"  # the library's own default for a bare encoder
    if mode == "mean" or mode == "cls":
        return "mean" if mode == "mean" else "cls"
    raise UnsupportedFolder(f"its pooling is {mode!r}, neither 'mean' nor 'cls'")


def _max_length(path: Path, config: Mapping[str, Any]) -> int:
    limits = [
        _json(path / "sentence_bert_config.json").get("max_seq_length"),
        config.get("max_position_embeddings"),
        _json(path / "tokenizer_config.json").get("model_max_length"),
    ]
    known = [int(n) for n in limits if isinstance(n, int | float) and 8 <= n < _NO_LIMIT]
    return min(known, default=512)


def _json(path: Path) -> dict[str, Any]:
    value = _parsed(path)
    return value if isinstance(value, dict) else {}


def _json_list(path: Path) -> list[dict[str, Any]]:
    value = _parsed(path)
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def _parsed(path: Path) -> Any:
    if not path.is_file():
        return None
    try:
        return json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise UnsupportedFolder(f"its {path.name} is not JSON ({error})") from error
