"""Where things are kept."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kebab_core import paths
from kebab_core.paths import Workspace

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="XDG is Linux")


def test_a_workspace_is_one_directory() -> None:
    workspace = Workspace("notes", Path("/somewhere/notes"))
    assert workspace.store_dir == Path("/somewhere/notes/store")
    assert workspace.sessions_db == Path("/somewhere/notes/sessions.sqlite3")
    assert workspace.lock_file == Path("/somewhere/notes/writer.lock")


@linux
def test_workspaces_are_listed_by_name(own_home: Path) -> None:
    assert paths.workspace_names() == []
    for name in ("work", "demo"):
        paths.named_workspace(name).directory.mkdir(parents=True)
    (paths.data_dir() / "workspaces" / "a file").write_text("")
    assert paths.workspace_names() == ["demo", "work"]


def test_platform_folders_below_the_home(own_home: Path) -> None:
    assert paths.data_dir() == own_home / ".local/share/kebab"
    assert paths.config_dir() == own_home / ".config/kebab"
    assert paths.state_dir() == own_home / ".local/state/kebab"
    assert paths.cache_dir() == own_home / ".cache/kebab"
    assert paths.models_dir().is_relative_to(paths.cache_dir())
    assert paths.named_workspace("notes").directory.is_relative_to(paths.data_dir())


@linux
@pytest.mark.parametrize(
    ("variable", "folder"),
    [
        ("XDG_DATA_HOME", paths.data_dir),
        ("XDG_CONFIG_HOME", paths.config_dir),
        ("XDG_STATE_HOME", paths.state_dir),
        ("XDG_CACHE_HOME", paths.cache_dir),
    ],
)
def test_xdg_is_honoured(
    variable: str, folder: Callable[[], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(tmp_path))
    assert folder() == tmp_path / "kebab"


@linux
def test_a_relative_xdg_folder_is_ignored(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "somewhere")
    assert paths.data_dir() == own_home / ".local/share/kebab"


@linux
def test_without_any_home_nothing_lands_in_a_folder_called_tilde(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import pwd

    def nobody(uid: int) -> None:
        raise KeyError(uid)

    # A container's arbitrary user: no HOME, and no entry in the user database.
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    for folder in (paths.data_dir(), paths.config_dir(), paths.state_dir(), paths.cache_dir()):
        assert folder.is_absolute()
        assert not folder.exists()


def test_nothing_is_made(own_home: Path) -> None:
    for folder in (paths.data_dir, paths.config_dir, paths.state_dir, paths.models_dir):
        folder()
    assert list(own_home.iterdir()) == []
