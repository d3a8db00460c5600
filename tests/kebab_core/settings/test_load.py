"""Layers, their order, and which workspace is used."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kebab_core import paths
from kebab_core.errors import ConfigInvalid, PermissionDenied
from kebab_core.settings import local_workspace
from kebab_core.settings.load import Configuration, load
from kebab_core.settings.model import Settings
from kebab_core.settings.state import UserState

Write = Callable[[str], Path]
Load = Callable[..., Configuration]


def test_nothing_set_means_the_defaults(load_there: Load) -> None:
    configuration = load_there()
    assert configuration.settings == Settings()
    assert configuration.workspace == paths.named_workspace("default")
    assert configuration.files == ()
    assert configuration.ignored == ()
    assert configuration.warnings == ()
    assert configuration.project_file is None
    assert configuration.origins == {"workspace.directory": "default"}


def test_the_order_of_the_layers(
    load_there: Load, write_own: Write, write_project: Write, project: Path
) -> None:
    file = write_project("[ask]\nk = 2\nmax_rounds = 2\nanswer_s = 2\nresearch_s = 2\n")
    own = write_own("[ask]\nk = 1\nmax_rounds = 1\nanswer_s = 1\nresearch_s = 1\nstream = false\n")
    env = {"KEBAB_ASK__K": "3", "KEBAB_ASK__MAX_ROUNDS": "3"}
    configuration = load_there(env=env, overrides={"ask.k": 4})
    ask = configuration.settings.ask
    assert (ask.k, ask.max_rounds, ask.answer_s, ask.stream) == (4, 3, 2, False)
    assert configuration.files == (own, file)
    assert configuration.project_file == file
    origins = configuration.origins
    assert origins["ask.k"] == "flag"
    assert origins["ask.max_rounds"] == "KEBAB_ASK__MAX_ROUNDS"
    assert origins["ask.answer_s"] == "project file"
    assert origins["ask.stream"] == "user file"
    assert "ask.mode" not in origins


def test_short_variables_win_over_long_ones_and_flags_over_both(load_there: Load) -> None:
    env = {
        "KEBAB_MODEL_ASK": "ollama:short",
        "KEBAB_MODELS__ASK__MODEL": "ollama:long",
        "KEBAB_MODELS__CHANCE__MODEL": "ollama:chance",
        "KEBAB_BASE_URL": "http://127.0.0.1:8080/v1",
    }
    configuration = load_there(env=env)
    assert configuration.settings.models.ask.model == "ollama:short"
    assert configuration.settings.models.chance.model == "ollama:chance"
    assert configuration.settings.providers.openai_compatible.base_url == (
        "http://127.0.0.1:8080/v1"
    )
    assert configuration.origins["models.ask.model"] == "KEBAB_MODEL_ASK"
    flagged = load_there(env=env, overrides={"models.ask.model": "quote"})
    assert flagged.settings.models.ask.model == "quote"
    assert flagged.origins["models.ask.model"] == "--model"


def test_config_stands_in_for_both_files(
    load_there: Load, write_own: Write, write_project: Write, tmp_path: Path
) -> None:
    write_own("[ask]\nk = 1\n[search]\nk = 1\n")
    write_project("[ask]\nk = 2\nmode = 'single'\n")
    chosen = tmp_path / "chosen.toml"
    chosen.write_text("[ask]\nmax_rounds = 5\n[models.ask]\nmodel = 'openai:x'\n")
    configuration = load_there(config_file=chosen)
    settings = configuration.settings
    assert settings.ask.max_rounds == 5
    assert settings.ask.k == settings.search.k == 8
    assert settings.ask.mode == "auto"
    assert settings.models.ask.model == "openai:x"
    assert configuration.files == (chosen,)
    assert configuration.origins["models.ask.model"] == "--config"
    assert configuration.project_file is None


def test_config_is_relative_to_the_current_folder(load_there: Load, project: Path) -> None:
    (project / "mine.toml").write_text("[ask]\nk = 3\n")
    assert load_there(config_file="mine.toml").settings.ask.k == 3


@pytest.mark.parametrize("missing", ["none.toml", "folder", "", "a\0b"])
def test_config_must_be_a_file(load_there: Load, project: Path, missing: str) -> None:
    (project / "folder").mkdir()
    with pytest.raises(ConfigInvalid) as caught:
        load_there(config_file=missing)
    assert caught.value.hint or "directory" in caught.value.message


def test_a_project_file_is_found_upward(write_project: Write, project: Path) -> None:
    file = write_project("[search]\nk = 3\n")
    deep = project / "a" / "b"
    deep.mkdir(parents=True)
    configuration = load(cwd=deep, env={})
    assert configuration.project_file == file
    assert configuration.settings.search.k == 3


def test_the_own_file_is_no_project_file(write_own: Write) -> None:
    own = write_own("[models.ask]\nmodel = 'openai:x'\n")
    configuration = load(cwd=own.parent, env={})
    assert configuration.project_file is None
    assert configuration.ignored == ()
    assert configuration.settings.models.ask.model == "openai:x"


def test_a_pipe_called_kebab_toml_is_passed_over(load_there: Load, project: Path) -> None:
    os.mkfifo(project / "kebab.toml")
    assert load_there().project_file is None


def test_a_deleted_current_folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    project.rmdir()
    configuration = load(env={})
    assert configuration.settings == Settings()
    assert configuration.workspace == paths.named_workspace("default")


def test_source_paths_are_absolute_wherever_they_are_said(
    load_there: Load, write_own: Write, write_project: Write, project: Path, own_home: Path
) -> None:
    own = write_own('[[sources]]\nid = "a"\npath = "~/notes"\n[[sources]]\nid = "b"\npath = "x"\n')
    paths_of = [source.path for source in load_there().settings.sources]
    assert paths_of == [str(own_home / "notes"), str(own.parent / "x")]
    write_project('[[sources]]\nid = "docs"\npath = "docs"\n')
    assert load_there().settings.sources[0].path == str(project / "docs")
    env = {"KEBAB_SOURCES": '[{"id": "e", "path": "e"}]'}
    assert load_there(env=env).settings.sources[0].path == str(project / "e")


def test_an_unreadable_own_file_is_said(
    open_folder: Path,
    write_own: Write,
    as_nobody: Callable[[], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(open_folder))
    own = write_own("[ask]\nk = 1\n")
    own.chmod(0)
    with as_nobody(), pytest.raises(PermissionDenied) as caught:
        load(cwd="/", env={})
    assert "kebab.toml" in caught.value.message
    assert caught.value.hint


def test_someone_elses_unreadable_file_above_keeps_nobody_from_working(
    open_folder: Path, as_nobody: Callable[[], Any]
) -> None:
    file = open_folder / "kebab.toml"
    file.write_text("[ask]\nk = 1\n")
    file.chmod(0)
    with as_nobody():
        configuration = load(cwd=open_folder, env={})
    assert configuration.settings.ask.k == 8
    assert any(str(file) in line for line in configuration.warnings)


def test_a_home_that_may_not_be_looked_into_is_said_and_works(
    own_home: Path, as_nobody: Callable[[], Any]
) -> None:
    own_home.chmod(0)
    with as_nobody():
        configuration = load(cwd="/", env={})
        assert configuration.settings == Settings()
        assert any("kebab.toml" in line for line in configuration.warnings)
        assert not configuration.state.remember_model("ask", "ollama:x")
        assert configuration.state.remembered_model("ask") == "ollama:x"
    own_home.chmod(0o700)


# --- errors ------------------------------------------------------------------------------------


def test_an_unknown_key_in_a_project_file_says_how_to_go_around_it(
    load_there: Load, write_project: Write
) -> None:
    file = write_project("[ask]\nkk = 1\n")
    with pytest.raises(ConfigInvalid) as caught:
        load_there()
    assert str(file) in caught.value.message
    assert "`ask.kk`" in caught.value.message
    assert "`ask.k`" in caught.value.message
    assert "--config" in (caught.value.hint or "")


def test_a_mistake_is_told_also_where_a_stronger_layer_hides_it(
    load_there: Load, write_own: Write
) -> None:
    own = write_own("[ask]\nk = 'eight'\n")
    with pytest.raises(ConfigInvalid) as caught:
        load_there(env={"KEBAB_ASK__K": "8"})
    assert str(own) in caught.value.message


@pytest.mark.parametrize("overrides", [{"search.kk": 1}, {"search.k": 0}, {"search": 1}])
def test_flags_are_checked_too(load_there: Load, overrides: dict[str, object]) -> None:
    with pytest.raises(ConfigInvalid, match="The command line"):
        load_there(overrides=overrides)


def test_a_flag_that_was_not_given_changes_nothing(load_there: Load) -> None:
    configuration = load_there(overrides={"search.k": None})
    assert configuration.settings.search.k == 8
    assert "search.k" not in configuration.origins


# --- which workspace ---------------------------------------------------------------------------


def test_the_rule_from_top_to_bottom(
    load_there: Load, write_own: Write, project: Path, tmp_path: Path
) -> None:
    write_own('[workspace]\nname = "from-file"\n')
    assert load_there().workspace == paths.named_workspace("from-file")

    long = {"KEBAB_WORKSPACE__NAME": "from-long"}
    assert load_there(env=long).workspace == paths.named_workspace("from-long")

    local = local_workspace.make_local_workspace(project, UserState.open())
    configuration = load_there(env=long)
    assert configuration.workspace == local
    assert configuration.workspace.name == "project"
    assert configuration.origins["workspace.directory"] == ".kebab"

    env = long | {"KEBAB_WORKSPACE": "from-env"}
    assert load_there(env=env).workspace == paths.named_workspace("from-env")

    configuration = load_there(env=env, workspace="from-flag")
    assert configuration.workspace == paths.named_workspace("from-flag")
    assert configuration.settings.workspace.name == "from-flag"
    assert configuration.origins["workspace.name"] == "--workspace"

    env |= {"KEBAB_DATA_DIR": str(tmp_path / "env-data")}
    configuration = load_there(env=env, workspace="from-flag")
    assert configuration.workspace.directory == tmp_path / "env-data"
    assert configuration.origins["workspace.directory"] == "KEBAB_DATA_DIR"
    (said,) = configuration.warnings
    assert "--workspace 'from-flag'" in said

    configuration = load_there(env=env, data_dir="flag-data")
    assert configuration.workspace.directory == project / "flag-data"
    assert configuration.workspace.name == "flag-data"


def test_an_empty_short_variable_is_no_variable(load_there: Load) -> None:
    env = dict.fromkeys(["KEBAB_WORKSPACE", "KEBAB_DATA_DIR", "KEBAB_MODEL_ASK", "OLLAMA_HOST"], "")
    assert load_there(env=env).settings == Settings()


@pytest.mark.parametrize("name", ["..", "a/b", "", "a\n", "-x", "x" * 65, "ä"])
def test_a_workspace_name_is_a_plain_name(load_there: Load, name: str) -> None:
    with pytest.raises(ConfigInvalid, match=r"`workspace\.name`"):
        load_there(workspace=name)


def test_a_data_dir_expands_the_home(load_there: Load, own_home: Path) -> None:
    assert load_there(data_dir="~/corpus").workspace.directory == own_home / "corpus"


def test_loading_makes_nothing(load_there: Load, own_home: Path, project: Path) -> None:
    load_there()
    assert list(own_home.iterdir()) == []
    assert list(project.iterdir()) == []
