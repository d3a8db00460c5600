"""Small sentence-transformers folders with random weights: real files, quick to build."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

_WORDS = "the a reset password user train leaves at noon how do i my open menu click save"
WORDS = _WORDS.split()
CONFIG: dict[str, Any] = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": 32,
    "intermediate_size": 64,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "position_embedding_type": "absolute",
    "type_vocab_size": 2,
    "pad_token_id": 0,
    "architectures": ["BertModel"],
}


def tensors(config: dict[str, Any], vocabulary: int, seed: int = 0) -> dict[str, Any]:
    """Random weights under BERT's names."""
    random = np.random.default_rng(seed)
    hidden, inner = config["hidden_size"], config["intermediate_size"]

    def some(*shape: int) -> Any:
        return random.normal(0, 0.3, shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": some(vocabulary, hidden),
        "embeddings.position_embeddings.weight": some(config["max_position_embeddings"], hidden),
        "embeddings.token_type_embeddings.weight": some(config["type_vocab_size"], hidden),
        "embeddings.LayerNorm.weight": 1 + some(hidden),
        "embeddings.LayerNorm.bias": some(hidden),
    }
    for i in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{i}"
        sizes = {
            "attention.self.query": (hidden, hidden),
            "attention.self.key": (hidden, hidden),
            "attention.self.value": (hidden, hidden),
            "attention.output.dense": (hidden, hidden),
            "intermediate.dense": (inner, hidden),
            "output.dense": (hidden, inner),
        }
        for name, size in sizes.items():
            found[f"{layer}.{name}.weight"] = some(*size)
            found[f"{layer}.{name}.bias"] = some(size[0])
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            found[f"{layer}.{name}.weight"] = 1 + some(hidden)
            found[f"{layer}.{name}.bias"] = some(hidden)
    return found


def write_folder(
    path: Path, *, pooling: str = "mean", seed: int = 0, prefix: str = "", **config: Any
) -> Path:
    """A folder as the library saves it; `config` changes its config.json."""
    from safetensors.numpy import save_file
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    pieces += [sign for c in letters for sign in (c, f"##{c}") if sign not in WORDS]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    whole = {**CONFIG, "vocab_size": len(vocabulary), **config}
    path.mkdir(parents=True, exist_ok=True)
    (path / "1_Pooling").mkdir(exist_ok=True)
    tokenizer.save(str(path / "tokenizer.json"))
    weights = tensors(whole, len(vocabulary), seed)
    save_file({f"{prefix}{name}": tensor for name, tensor in weights.items()},
              str(path / "model.safetensors"), metadata={"format": "pt"})  # fmt: skip
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {
            "idx": 1,
            "name": "1",
            "path": "1_Pooling",
            "type": "sentence_transformers.models.Pooling",
        },
    ]
    modes = {f"pooling_mode_{m}": m.startswith(pooling) for m in ("cls_token", "mean_tokens")}
    files: dict[str, Any] = {
        "config.json": whole,
        "modules.json": modules,
        "1_Pooling/config.json": {"word_embedding_dimension": whole["hidden_size"], **modes},
        "sentence_bert_config.json": {"max_seq_length": 24, "do_lower_case": False},
        "tokenizer_config.json": {
            "tokenizer_class": "BertTokenizer",
            "do_lower_case": True,
            "model_max_length": 64,
            "pad_token": "[PAD]",
            "unk_token": "[UNK]",
            "cls_token": "[CLS]",
            "sep_token": "[SEP]",
            "mask_token": "[MASK]",
        },
    }
    for name, value in files.items():
        (path / name).write_text(json.dumps(value), "utf-8")
    return path
