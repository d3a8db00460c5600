"""The real library on a small model of its kind."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from kebab_core.errors import EmbedderUnavailable
from kebab_core.rerank import create
from tests.support.tiny_model import CONFIG, tensors, write_folder

pytest.importorskip("sentence_transformers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from safetensors.numpy import save_file

    path = write_folder(tmp_path_factory.mktemp("cross"))
    config = json.loads((path / "config.json").read_text())
    config |= {"architectures": ["BertForSequenceClassification"], "num_labels": 1}
    config |= {"id2label": {"0": "LABEL_0"}, "label2id": {"LABEL_0": 0}}
    (path / "config.json").write_text(json.dumps(config))
    for name in ("modules.json", "sentence_bert_config.json"):
        (path / name).unlink()
    hidden = CONFIG["hidden_size"]
    random = np.random.default_rng(1)
    weights = {f"bert.{k}": v for k, v in tensors(config, config["vocab_size"]).items()}
    weights |= {
        "bert.pooler.dense.weight": random.normal(0, 0.3, (hidden, hidden)).astype(np.float32),
        "bert.pooler.dense.bias": np.zeros(hidden, np.float32),
        "classifier.weight": random.normal(0, 0.3, (1, hidden)).astype(np.float32),
        "classifier.bias": np.zeros(1, np.float32),
    }
    save_file(weights, str(path / "model.safetensors"), metadata={"format": "pt"})
    return path


def test_each_passage_is_read_with_the_query(folder: Path) -> None:
    reranker = create(str(folder))
    assert reranker is not None
    texts = ["the train leaves at noon", "click save", "open my menu"]
    scores = reranker.scores("how do i reset the password", texts)
    assert len({round(score, 6) for score in scores}) == 3
    backwards = reranker.scores("how do i reset the password", texts[::-1])
    assert backwards == pytest.approx(scores[::-1], abs=1e-5)
    assert reranker.scores("the train", texts) != pytest.approx(scores, abs=1e-5)


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EmbedderUnavailable, match="can't be loaded"):
        create(str(tmp_path / "none"))
