from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kebab_core.embed.bert_graph import BertShape, NotBertShaped, bert_graph
from kebab_core.embed.onnx_runtime import onnxruntime
from tests.support import tiny_model


def run(model: Any, ids: list[list[int]], mask: list[list[int]]) -> Any:
    session = onnxruntime().InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    feed = {"input_ids": np.array(ids), "attention_mask": np.array(mask)}
    return session.run(None, feed)[0]


def graph(pooling: Any = "mean", **config: Any) -> Any:
    import onnx

    whole = {**tiny_model.CONFIG, **config}
    model = bert_graph(BertShape.of(whole), tiny_model.tensors(whole, 50), pooling)
    onnx.checker.check_model(model, full_check=True)
    return model


def test_vectors_are_unit_and_padding_changes_nothing() -> None:
    model = graph()
    alone = run(model, [[2, 7, 9, 3]], [[1, 1, 1, 1]])
    padded = run(model, [[2, 7, 9, 3, 0, 0], [2, 5, 5, 5, 5, 3]], [[1, 1, 1, 1, 0, 0], [1] * 6])
    assert alone.shape == (1, 32)
    assert alone.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(padded, axis=1), 1, atol=1e-6)
    np.testing.assert_allclose(padded[0], alone[0], atol=1e-6)


def test_poolings_follow_from_the_hidden_states() -> None:
    ids, mask = [[2, 7, 9, 3]], [[1, 1, 1, 1]]
    hidden = run(graph("none"), ids, mask)
    assert hidden.shape == (1, 4, 32)
    for pooling, raw in (("mean", hidden[0].mean(axis=0)), ("cls", hidden[0, 0])):
        expected = raw / np.linalg.norm(raw)
        np.testing.assert_allclose(run(graph(pooling), ids, mask)[0], expected, atol=1e-6)


@pytest.mark.parametrize(
    ("pooling", "config"),
    [
        ("mean", {}),
        ("cls", {"num_hidden_layers": 1, "num_attention_heads": 2}),
        ("mean", {"hidden_act": "gelu_new", "layer_norm_eps": 1e-5, "hidden_size": 48}),
        ("mean", {"hidden_act": "relu", "type_vocab_size": 1}),
    ],
)
def test_any_shape_equals_the_reference_implementation(
    tmp_path: Path, pooling: str, config: dict[str, Any]
) -> None:
    pytest.importorskip("sentence_transformers", reason="kebab[sentence-transformers] is not here")
    from kebab_core.embed.built import Card, build
    from kebab_core.embed.folder import read_folder
    from kebab_core.embed.onnx import OnnxEmbedder
    from kebab_core.embed.sentence_transformers import SentenceTransformerEmbedder

    path = tiny_model.write_folder(tmp_path / "tiny", pooling=pooling, prefix="bert.", **config)
    folder = read_folder(path, "tiny")
    card = Card(
        "tiny",
        "fp32",
        config.get("hidden_size", 32),
        folder.max_length,
        folder.pooling,
        folder.profile,
        "0" * 64,
    )
    ours = OnnxEmbedder(build(folder, card, tmp_path / "built"))
    theirs = SentenceTransformerEmbedder("tiny", path, fetch=False)
    texts = ["how do i reset my password", "the train leaves at noon " * 9, "", "zz"]
    np.testing.assert_allclose(ours.embed_passages(texts), theirs.embed_passages(texts), atol=1e-4)
    assert ours.max_tokens == theirs.max_tokens == 22


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"model_type": "mpnet"}, "'mpnet', not 'bert'"),
        ({"position_embedding_type": "relative_key"}, "'relative_key'"),
        ({"hidden_act": "mish"}, "'mish'"),
        ({"num_attention_heads": 5}, "5 heads"),
        ({"num_attention_heads": 0}, "0 heads"),
        ({"hidden_size": None}, "config.json"),
    ],
)
def test_another_kind_of_model_is_told(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(NotBertShaped, match=reason):
        BertShape.of({**tiny_model.CONFIG, **change})


def test_missing_tensors_are_named() -> None:
    shape = BertShape.of(json.loads(json.dumps(tiny_model.CONFIG)))
    with pytest.raises(NotBertShaped, match="word_embeddings"):
        bert_graph(shape, {})
    some = tiny_model.tensors(tiny_model.CONFIG, 50)
    del some["encoder.layer.1.output.dense.bias"]
    with pytest.raises(NotBertShaped, match=r"encoder\.layer\.1\.output\.dense\.bias"):
        bert_graph(shape, some)
