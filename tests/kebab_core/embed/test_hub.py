"""The model hub, through its own client and over HTTP, from a process of its own: the client
reads its address and its cache from the environment when it is imported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kebab_core.embed import default_model
from kebab_core.embed.weights import default_directory
from tests.support import hub, tiny_model

LOAD = """
import json, sys
from types import SimpleNamespace
from kebab_core import embed
from kebab_core.errors import KebabError
from kebab_core.settings.model import Settings
settings = Settings.model_validate({"embedding": json.loads(sys.argv[1])})
try:
    embedder = embed.load(SimpleNamespace(settings=settings), fetch=sys.argv[2] == "fetch")
    said = {"id": embedder.id, "n": len(embedder.embed_query("the user")),
            "ko": embedder.reads("ko"), "max": embedder.max_tokens}
except KebabError as error:
    said = {"error": error.message, "hint": error.hint}
print(json.dumps(said))
"""


WEIGHTS = """
import json
from kebab_core.embed.weights import default_weights
from kebab_core.errors import KebabError
from kebab_core.paths import models_dir
try:
    said = {"weights": str(default_weights(models_dir(), fetch=True, notice=lambda _: None))}
except KebabError as error:
    said = {"error": error.message, "hint": error.hint}
print(json.dumps(said))
"""


def load(home: Path, address: str, *, fetch: bool = True, **embedding: str) -> dict[str, Any]:
    return run(LOAD, home, address, json.dumps(embedding), "fetch" if fetch else "no")


def fetch_default(home: Path, address: str) -> dict[str, Any]:
    return run(WEIGHTS, home, address)


def run(code: str, home: Path, address: str, *arguments: str) -> dict[str, Any]:
    env = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "PIP_"))}
    # No index for pip: only the hub is left.
    env |= {"HF_ENDPOINT": address, "HOME": str(home), "PIP_NO_INDEX": "1"}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=True, timeout=90)
    assert done.stderr == ""
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_a_named_model_is_fetched_once(tmp_path: Path, own_home: Path) -> None:
    folder = tiny_model.write_folder(tmp_path / "tiny")
    (folder / "README.md").write_text("---\nlanguage: [en, ko]\n---\n")
    (folder / "pytorch_model.bin").write_bytes(b"not needed")
    with hub.serving({"org/tiny": folder}) as server:
        assert (
            "not on this machine"
            in load(own_home, server.address, fetch=False, model="org/tiny")["error"]
        )
        assert server.asked == []
        said = load(own_home, server.address, model="org/tiny")
        assert said == {"id": "org/tiny@int8", "n": 32, "ko": True, "max": 22}
        assert "model.safetensors" in server.fetched()
        assert "pytorch_model.bin" not in server.fetched()
        server.asked.clear()
        assert load(own_home, server.address, fetch=False, model="org/tiny") == said
        assert server.asked == []


def test_of_another_kind_of_model_the_ready_graph_is_fetched(
    tmp_path: Path, own_home: Path
) -> None:
    import onnx

    from kebab_core.embed.bert_graph import BertShape, bert_graph

    folder = tiny_model.write_folder(tmp_path / "tiny", model_type="other")
    words = json.loads((folder / "config.json").read_text())["vocab_size"]
    graph = bert_graph(
        BertShape.of(tiny_model.CONFIG), tiny_model.tensors(tiny_model.CONFIG, words), "none"
    )
    (folder / "onnx").mkdir()
    onnx.save(graph, str(folder / "onnx" / "model.onnx"))
    with hub.serving({"org/other": folder}) as server:
        assert load(own_home, server.address, model="org/other")["id"] == "org/other@int8"
        assert "onnx/model.onnx" in server.fetched()
        assert "model.safetensors" not in server.fetched()


def test_the_default_model_when_pip_has_none(
    tmp_path: Path, own_home: Path, real_models: Path
) -> None:
    folder = tmp_path / "minilm"
    folder.mkdir()
    for name in default_model.PINNED:
        os.link(default_directory(real_models) / name, folder / name)
    with hub.serving({default_model.HUB_NAME: folder}) as server:
        said = fetch_default(own_home, server.address)
        assert "weights" in said
        assert server.fetched() == set(default_model.PINNED)


def test_other_bytes_from_the_hub_are_refused(tmp_path: Path, own_home: Path) -> None:
    folder = tiny_model.write_folder(tmp_path / "wrong")
    with hub.serving({default_model.HUB_NAME: folder}) as server:
        said = fetch_default(own_home, server.address)
    assert "the model hub: its model.safetensors is not the expected file" in said["error"]
    assert list((own_home / ".cache" / "kebab").rglob("*.safetensors")) == []


@pytest.mark.parametrize("name", ["org/none", "no such name!"])
def test_a_name_the_hub_does_not_know(own_home: Path, name: str) -> None:
    with hub.serving({}) as server:
        said = load(own_home, server.address, model=name)
    assert name in said["error"]
    assert "embedding.model" in said["hint"]


def test_a_hub_that_is_not_there_fails_soon(own_home: Path) -> None:
    said = load(own_home, "http://127.0.0.1:9", model="org/tiny")
    assert "can't be reached" in said["error"]
    assert "127.0.0.1" not in said["error"]
