from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kebab_core.embed.folder import UnsupportedFolder, read_folder
from tests.support import tiny_model


def change(path: Path, file: str, value: Any) -> None:
    (path / file).write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tiny_model.write_folder(tmp_path / "tiny")


def test_a_folder_as_the_library_saves_it(path: Path) -> None:
    folder = read_folder(path, "tiny")
    assert folder.shape is not None
    assert (folder.shape.layers, folder.shape.heads, folder.shape.hidden) == (2, 4, 32)
    assert (folder.pooling, folder.max_length) == ("mean", 24)
    assert folder.weights == path / "model.safetensors"
    assert not folder.profile.reads("ko")


def test_poolings(tmp_path: Path, path: Path) -> None:
    cls = tiny_model.write_folder(tmp_path / "cls", pooling="cls")
    assert read_folder(cls, "cls").pooling == "cls"
    change(path, "1_Pooling/config.json", {"pooling_mode": "cls", "embedding_dimension": 32})
    assert read_folder(path, "tiny").pooling == "cls"
    (path / "1_Pooling" / "config.json").unlink()
    assert read_folder(path, "tiny").pooling == "mean"


@pytest.mark.parametrize(
    ("file", "value", "limit"),
    [
        ("sentence_bert_config.json", {}, 64),
        ("sentence_bert_config.json", {"max_seq_length": None}, 64),
        ("sentence_bert_config.json", {"max_seq_length": 500}, 64),  # more than it has positions
        ("tokenizer_config.json", {"model_max_length": 1e30}, 24),
        ("tokenizer_config.json", {"model_max_length": 16}, 16),
    ],
)
def test_the_shortest_limit_counts(path: Path, file: str, value: Any, limit: int) -> None:
    change(path, file, value)
    assert read_folder(path, "tiny").max_length == limit


def test_a_ready_graph_stands_in_for_other_kinds_of_model(path: Path) -> None:
    config = json.loads((path / "config.json").read_text())
    change(path, "config.json", {**config, "model_type": "mpnet"})
    with pytest.raises(UnsupportedFolder, match=r"'mpnet'.*no onnx/model.onnx"):
        read_folder(path, "tiny")
    (path / "onnx").mkdir()
    (path / "onnx" / "model.onnx").write_bytes(b"")
    folder = read_folder(path, "tiny")
    assert folder.shape is None
    assert folder.weights == path / "onnx" / "model.onnx"


@pytest.mark.parametrize(
    ("file", "value", "reason"),
    [
        ("modules.json", [{"type": "x.Transformer"}, {"type": "x.Dense"}], "Dense layer"),
        ("1_Pooling/config.json", {"pooling_mode_lasttoken": True}, "'last"),
        ("config.json", "{", "config.json is not JSON"),
        ("modules.json", "\x00", "modules.json is not JSON"),
    ],
)
def test_what_can_not_run_is_told(path: Path, file: str, value: Any, reason: str) -> None:
    change(path, file, value)
    with pytest.raises(UnsupportedFolder, match=reason):
        read_folder(path, "tiny")


@pytest.mark.parametrize("file", ["tokenizer.json", "model.safetensors"])
def test_missing_files_are_named(path: Path, file: str) -> None:
    (path / file).unlink()
    with pytest.raises(UnsupportedFolder, match=file):
        read_folder(path, "tiny")


def test_the_languages_of_the_model_card_count(path: Path) -> None:
    change(path, "README.md", "---\nlanguage: [ko]\n---\n")
    assert read_folder(path, "tiny").profile.reads("ko")
