"""`.kebab/`: one's own, and one that came with a project."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kebab_core import paths
from kebab_core.errors import InvalidInput, IOFailed
from kebab_core.paths import Workspace
from kebab_core.settings.load import Configuration
from kebab_core.settings.local_workspace import make_local_workspace, read_id
from kebab_core.settings.state import UserState
from kebab_core.settings.trust import trust

Load = Callable[..., Configuration]


@pytest.fixture
def state() -> UserState:
    return UserState.open()


@pytest.fixture
def foreign(project: Path) -> Path:
    """As a clone brings it."""
    directory = project / ".kebab"
    (directory / "store").mkdir(parents=True)
    (directory / "id").write_text("0" * 32 + "\n")
    return directory


def test_made_here_it_is_used(project: Path, state: UserState, load_there: Load) -> None:
    made = make_local_workspace(project, state)
    assert made == Workspace("project", project / ".kebab")
    assert read_id(made.directory)
    assert (made.directory / ".gitignore").read_text() == "*\n"
    deep = project / "a" / "b"
    deep.mkdir(parents=True)
    configuration = load_there(cwd=deep)
    assert configuration.workspace == made
    assert configuration.warnings == ()
    assert make_local_workspace(project, state) == made


def test_a_foreign_one_is_not_used_and_said(foreign: Path, load_there: Load) -> None:
    configuration = load_there()
    assert configuration.workspace == paths.named_workspace("default")
    (said,) = configuration.warnings
    assert str(foreign) in said
    assert "`kebab config trust`" in said
    assert configuration.foreign_workspaces == (foreign,)


def test_it_is_used_once_trusted(foreign: Path, load_there: Load) -> None:
    assert trust(load_there()) == (foreign,)
    configuration = load_there()
    assert configuration.workspace.directory == foreign
    assert configuration.warnings == ()
    assert trust(configuration) == ()


@pytest.mark.parametrize("content", [None, "", "not an id", "A" * 32, "0" * 200])
def test_one_without_a_proper_id_gets_one_when_trusted(
    foreign: Path, load_there: Load, content: str | None
) -> None:
    (foreign / "id").unlink()
    if content is not None:
        (foreign / "id").write_text(content)
    assert load_there().foreign_workspaces == (foreign,)
    trust(load_there())
    assert load_there().workspace.directory == foreign


def test_a_planted_link_as_id_is_not_written_through(
    foreign: Path, load_there: Load, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (foreign / "id").unlink()
    (foreign / "id").symlink_to(victim)
    trust(load_there())
    assert victim.read_text() == "precious"
    assert not (foreign / "id").is_symlink()


def test_a_copy_elsewhere_is_foreign(
    project: Path, state: UserState, load_there: Load, tmp_path: Path
) -> None:
    make_local_workspace(project, state)
    shutil.copytree(project, tmp_path / "copy")
    assert load_there(cwd=tmp_path / "copy").workspace == paths.named_workspace("default")


def test_another_index_put_in_its_place_is_foreign(
    project: Path, state: UserState, load_there: Load
) -> None:
    own = make_local_workspace(project, state).directory
    shutil.rmtree(own)
    (own / "store").mkdir(parents=True)
    (own / "id").write_text("1" * 32)
    assert load_there().foreign_workspaces == (own,)


def test_a_link_to_ones_own_is_foreign(
    project: Path, state: UserState, load_there: Load, tmp_path: Path
) -> None:
    make_local_workspace(project, state)
    clone = tmp_path / "clone"
    clone.mkdir()
    (clone / ".kebab").symlink_to(project / ".kebab")
    assert load_there(cwd=clone).foreign_workspaces == (clone / ".kebab",)


def test_ones_own_further_up_is_used(
    tmp_path: Path, foreign: Path, state: UserState, load_there: Load
) -> None:
    own = make_local_workspace(tmp_path, state)
    configuration = load_there()
    assert configuration.workspace == own
    assert configuration.foreign_workspaces == (foreign,)


def test_a_folder_that_holds_no_workspace_is_nothing(project: Path, load_there: Load) -> None:
    (project / ".kebab").mkdir()
    (project / ".kebab" / "recipe.txt").write_text("lamb")
    assert load_there().warnings == ()


def test_a_named_workspace_is_taken_without_a_word(foreign: Path, load_there: Load) -> None:
    configuration = load_there(workspace="mine")
    assert configuration.warnings == ()
    assert configuration.foreign_workspaces == ()


def test_trusting_a_project_does_not_trust_what_lies_around_it(
    tmp_path: Path, project: Path, load_there: Load
) -> None:
    around = tmp_path / ".kebab"
    (around / "store").mkdir(parents=True)
    file = project / "kebab.toml"
    file.write_text('[models.ask]\nmodel = "ollama:x"\n')
    assert trust(load_there()) == (file,)
    assert load_there().foreign_workspaces == (around,)
    assert trust(load_there()) == (around,)


def test_file_and_folder_of_a_project_are_trusted_together(
    project: Path, foreign: Path, load_there: Load
) -> None:
    file = project / "kebab.toml"
    file.write_text('[models.ask]\nmodel = "ollama:x"\n')
    assert len(load_there().warnings) == 2
    assert trust(load_there()) == (file, foreign)
    assert load_there().warnings == ()


def test_making_one_over_a_foreign_one_is_refused(foreign: Path, state: UserState) -> None:
    with pytest.raises(InvalidInput, match="there already"):
        make_local_workspace(foreign.parent, state)
    assert (foreign / "store").is_dir()


def test_making_one_where_nothing_may_be_made(tmp_path: Path, state: UserState) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IOFailed):
        make_local_workspace(tmp_path / "file", state)


def test_one_that_cannot_be_remembered_is_an_error(project: Path, own_home: Path) -> None:
    (own_home / ".local").write_text("a file, where a folder should be")
    with pytest.raises(IOFailed, match="can't be remembered"):
        make_local_workspace(project, UserState.open())
