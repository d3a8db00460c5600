"""What is remembered between runs."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core import paths
from kebab_core.settings.state import STATE_FILE, UserState


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / STATE_FILE


def test_it_is_remembered(file: Path, tmp_path: Path) -> None:
    state = UserState(file)
    assert state.remembered_model("ask") is None
    assert state.remember_model("ask", "ollama:qwen3")
    assert state.trust(tmp_path / "kebab.toml", "digest")
    assert state.remember_workspace(tmp_path / ".kebab", "id")
    again = UserState(file)
    assert again.remembered_model("ask") == "ollama:qwen3"
    assert again.trusted(tmp_path / "kebab.toml", "digest")
    assert not again.trusted(tmp_path / "kebab.toml", "other")
    assert not again.trusted(tmp_path / "x" / "kebab.toml", "digest")
    assert again.knows_workspace(tmp_path / ".kebab", "id")
    assert not again.knows_workspace(tmp_path / ".kebab", "other")
    assert again.warnings == []


def test_how_it_looks_is_remembered_apart_from_models(file: Path) -> None:
    assert UserState(file).remember_look("ask", "kebab-light")
    again = UserState(file)
    assert again.remembered_look("ask") == "kebab-light"
    assert again.remembered_model("ask") is None


def test_it_is_the_persons_alone(file: Path) -> None:
    UserState(file).remember_model("ask", "x")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [left.name for left in file.parent.iterdir() if left.name.startswith(".")] == []


def test_reading_makes_nothing(file: Path) -> None:
    UserState(file)
    assert not file.parent.exists()


def test_its_place() -> None:
    assert UserState.open().file == paths.state_dir() / STATE_FILE


def test_in_memory() -> None:
    state = UserState(None)
    assert not state.remember_model("ask", "x")
    assert state.remembered_model("ask") == "x"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"models": 3}',
        '{"models": {"ask": 3}}',
        pytest.param("[" * 100_000, id="deep"),
        "\udcff".encode("utf-8", "surrogatepass"),
    ],
)
def test_a_broken_file_is_kept_aside_and_said(file: Path, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode()
    file.parent.mkdir()
    for number in range(2):
        file.write_bytes(data)
        state = UserState(file)
        assert len(state.warnings) == 1
        aside = "state.json.broken" if number == 0 else "state.json.broken-2"
        assert aside in state.warnings[0]
        assert (file.parent / aside).read_bytes() == data
        assert not file.exists()
    assert state.remember_model("ask", "x")
    assert UserState(file).remembered_model("ask") == "x"


def test_what_a_newer_kebab_wrote_stays(file: Path) -> None:
    file.parent.mkdir()
    file.write_text('{"models": {"ask": "x"}, "newer": [1]}')
    assert UserState(file).remember_model("chance", "y")
    data = json.loads(file.read_text())
    assert data["newer"] == [1]
    assert data["models"] == {"ask": "x", "chance": "y"}


def test_where_it_cannot_be_written_it_works_in_memory(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, where a folder should be")
    state = UserState(tmp_path / "home" / "state" / STATE_FILE)
    assert state.warnings == []
    assert not state.remember_model("ask", "x")
    assert state.remembered_model("ask") == "x"
    assert len(state.warnings) == 1
    assert not state.remember_model("ask", "y")
    assert len(state.warnings) == 1


def test_a_folder_in_its_place_is_left_alone(file: Path) -> None:
    file.mkdir(parents=True)
    state = UserState(file)
    assert "can't be read" in state.warnings[0]
    assert not state.remember_model("ask", "x")
    assert file.is_dir()


def test_two_processes_keep_each_others_words(file: Path) -> None:
    script = (
        "import sys\nfrom pathlib import Path\nfrom kebab_core.settings.state import UserState\n"
        "state = UserState(Path(sys.argv[1]))\n"
        "for n in range(20): assert state.remember_model(f'{sys.argv[2]}{n}', 'x')\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", script, str(file), name]) for name in ("a", "b")
    ]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0]
    models = json.loads(file.read_text())["models"]
    assert set(models) == {f"{name}{n}" for name in "ab" for n in range(20)}


def test_two_states_in_one_process_keep_each_others_words(file: Path) -> None:
    first, second = UserState(file), UserState(file)
    first.remember_model("ask", "x")
    second.remember_model("chance", "y")
    assert second.remembered_model("ask") == "x"
    assert UserState(file).remembered_model("ask") == "x"


def test_a_link_to_the_folder_is_the_same_place(file: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    state = UserState(file)
    state.trust(tmp_path / "link" / "kebab.toml", "digest")
    assert state.trusted(tmp_path / "real" / "kebab.toml", "digest")


@given(role=st.text(max_size=20), ref=st.text(st.characters(codec=None), max_size=20))
def test_any_text_comes_back(role: str, ref: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("state") / STATE_FILE
    assert UserState(file).remember_model(role, ref)
    state = UserState(file)
    assert state.remembered_model(role) == ref
    assert state.warnings == []
