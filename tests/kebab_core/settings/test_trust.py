"""A project's file before and after it is trusted."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.errors import ConfigInvalid, IOFailed
from kebab_core.settings import catalogue
from kebab_core.settings.keys import key_for
from kebab_core.settings.layers import Layer, absolute
from kebab_core.settings.load import Configuration
from kebab_core.settings.model import Settings
from kebab_core.settings.state import UserState
from kebab_core.settings.template import template, write_template
from kebab_core.settings.trust import is_inside, permitted, trust

Write = Callable[[str], Path]
Load = Callable[..., Configuration]

HOSTILE = """
[workspace]
name = "proj"
[store]
uri = "s3://elsewhere"
[embedding]
model = "evil/model"
runtime = "http"
base_url = "https://elsewhere.example"
[search]
k = 3
rerank = "https://elsewhere.example"
[models.ask]
model = "openai:gpt"
max_tokens = 9
[providers.openai]
base_url = "https://elsewhere.example/v1"
api_key_env = "OPENAI_API_KEY"
[providers.openai-compatible]
base_url = "http://elsewhere.example"
allow_plain_http = true
[web]
default = true
base_url = "https://elsewhere.example"
[sessions]
keep_days = 0
[serve]
host = "0.0.0.0"
[serve.jwt]
jwks_url = "https://elsewhere.example"
[tui]
theme = "kebab-light"
"""

IGNORED = {
    "store.uri",
    "embedding.model",
    "embedding.runtime",
    "embedding.base_url",
    "search.rerank",
    "models.ask.model",
    "models.ask.max_tokens",
    "providers.openai.base_url",
    "providers.openai.api_key_env",
    "providers.openai-compatible.base_url",
    "providers.openai-compatible.allow_plain_http",
    "web.default",
    "web.base_url",
    "sessions.keep_days",
    "serve.host",
    "serve.jwt.jwks_url",
}


def test_what_says_where_things_go_is_ignored_and_said_in_one_line(
    load_there: Load, write_project: Write
) -> None:
    file = write_project(HOSTILE)
    configuration = load_there()
    expected = Settings.model_validate(
        {"workspace": {"name": "proj"}, "search": {"k": 3}, "tui": {"theme": "kebab-light"}}
    )
    assert configuration.settings == expected
    assert set(configuration.ignored) == IGNORED
    assert not set(configuration.ignored) & set(configuration.origins)
    (said,) = configuration.warnings
    assert str(file) in said
    assert "`kebab config trust`" in said
    assert all(key in said for key in IGNORED)
    assert "\n" not in said


def test_a_key_in_the_environment_does_not_follow_an_untrusted_file(
    load_there: Load, write_project: Write
) -> None:
    write_project(HOSTILE)
    configuration = load_there()
    env = {"OPENAI_API_KEY": "sk-planted", "ASK_API_KEY": "sk-planted"}
    assert key_for("openai", "https://elsewhere.example/v1", configuration, env) is None
    assert key_for("openai-compatible", "http://elsewhere.example", configuration, env) is None


def test_an_untrusted_file_does_not_shadow_the_persons_own_words(
    load_there: Load, write_own: Write, write_project: Write
) -> None:
    write_own('[models.ask]\nmodel = "ollama:mine"\n[embedding]\nmodel = "mine"\n')
    write_project(HOSTILE + '[models.chance]\nmodel = "openai:x"\n')
    settings = load_there().settings
    assert settings.models.ask.model == "ollama:mine"
    assert settings.embedding.model == "mine"
    assert settings.models.chance.model == ""


def test_the_packaged_values_may_be_said(load_there: Load, write_project: Write) -> None:
    write_project('[embedding]\nmodel = "default"\nruntime = "onnx"\n[search]\nrerank = ""\n')
    configuration = load_there()
    assert configuration.ignored == ()
    assert configuration.warnings == ()
    assert configuration.settings.embedding.runtime == "onnx"


# --- trusting ----------------------------------------------------------------------------------


def test_trust_holds_for_that_very_content(load_there: Load, write_project: Write) -> None:
    file = write_project(HOSTILE)
    assert trust(load_there()) == (file,)
    configuration = load_there()
    assert configuration.ignored == ()
    assert configuration.warnings == ()
    assert configuration.settings.models.ask.model == "openai:gpt"
    assert configuration.origins["models.ask.model"] == "project file"
    assert trust(configuration) == ()

    write_project(HOSTILE + "# one more word\n")
    assert set(load_there().ignored) == IGNORED
    write_project(HOSTILE)
    assert load_there().ignored == ()


def test_the_same_content_elsewhere_is_not_trusted(
    load_there: Load, write_project: Write, tmp_path: Path
) -> None:
    write_project(HOSTILE)
    trust(load_there())
    other = tmp_path / "other"
    other.mkdir()
    (other / "kebab.toml").write_text(HOSTILE)
    assert set(load_there(cwd=other).ignored) == IGNORED


def test_what_changed_since_it_was_read_is_not_trusted(
    load_there: Load, write_project: Write
) -> None:
    write_project("[ask]\nk = 1\n")
    configuration = load_there()
    file = write_project(HOSTILE)
    with pytest.raises(ConfigInvalid, match="has changed"):
        trust(configuration)
    assert set(load_there().ignored) == IGNORED
    file.unlink()
    with pytest.raises(ConfigInvalid, match="has changed"):
        trust(configuration)


def test_nothing_to_trust(load_there: Load) -> None:
    assert trust(load_there()) == ()


def test_trust_that_cannot_be_remembered_is_an_error(
    load_there: Load, write_project: Write, own_home: Path
) -> None:
    write_project(HOSTILE)
    (own_home / ".local").write_text("a file, where a folder should be")
    with pytest.raises(IOFailed, match="can't be remembered"):
        trust(load_there())


def test_a_file_that_init_has_just_written_is_trusted(load_there: Load, project: Path) -> None:
    file = write_template(project / "kebab.toml", UserState.open())
    assert trust(load_there()) == ()
    file.write_text(template() + HOSTILE.replace("[", "\n["))
    with pytest.raises(ConfigInvalid):
        load_there()  # tables said twice: the template's sections are real
    file.write_text(template().replace('#model = ""', 'model = "openai:x"', 1))
    assert load_there().ignored == ("models.ask.model",)


# --- sources -----------------------------------------------------------------------------------


def source(name: str, path: str | Path) -> str:
    return f'[[sources]]\nid = "{name}"\npath = "{path}"\n'


def test_sources_must_lie_inside_until_trusted(
    load_there: Load, write_project: Write, project: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (project / "link").symlink_to(outside)
    (project / "loop").symlink_to("loop")
    (project / "docs").mkdir()
    (project / "inner").symlink_to(project / "docs")
    inside = {"docs": "docs", "all": ".", "later": "not/yet/there", "inner": "inner"}
    bad = {
        "up": "../outside",
        "home": "~/notes",
        "root": "/",
        "absolute": str(outside),
        "link": "link",
        "below": "link/deeper",
        "twisted": "docs/../../outside",
        "prefix": f"{project}-secret",
    }
    write_project("".join(source(*one) for one in (inside | bad).items()))
    configuration = load_there()
    assert {one.id for one in configuration.settings.sources} == set(inside)
    assert set(configuration.ignored) == {f"sources.{name}" for name in bad}
    assert len(configuration.warnings) == 1
    trust(configuration)
    assert {one.id for one in load_there().settings.sources} == set(inside | bad)


def test_a_project_reached_through_a_link_is_its_real_folder(
    load_there: Load, write_project: Write, project: Path, tmp_path: Path
) -> None:
    write_project(source("docs", "docs"))
    (tmp_path / "link").symlink_to(project)
    assert load_there(cwd=tmp_path / "link").ignored == ()


def test_with_no_source_left_the_persons_own_stay(
    load_there: Load, write_own: Write, write_project: Write, tmp_path: Path
) -> None:
    write_own(source("notes", tmp_path / "notes"))
    write_project(source("home", "~"))
    assert [one.id for one in load_there().settings.sources] == ["notes"]


def test_a_project_cannot_take_the_name_of_a_persons_source(
    load_there: Load, write_own: Write, write_project: Write, tmp_path: Path
) -> None:
    write_own(source("notes", tmp_path / "notes"))
    write_project(source("notes", "planted") + source("docs", "docs"))
    configuration = load_there()
    assert configuration.ignored == ("sources.notes",)
    assert [one.id for one in configuration.settings.sources] == ["docs"]


# --- properties --------------------------------------------------------------------------------

FREE = ("workspace.", "ingest.", "search.", "ask.", "tui.")


@given(
    st.dictionaries(
        st.sampled_from([key for key in catalogue.known_keys() if key != "sources"]),
        st.text() | st.integers() | st.booleans(),
    )
)
def test_nothing_but_the_harmless_gets_through(values: dict[str, Any]) -> None:
    part = permitted(
        Layer(values, dict.fromkeys(values, "project file")), Path("/p"), own_sources={}
    )
    assert set(part.layer.values) | set(part.ignored) == set(values)
    assert not set(part.layer.values) & set(part.ignored)
    for key, value in part.layer.values.items():
        if key == "search.rerank":
            assert value == ""
        elif key == "embedding.model":
            assert value == "default"
        elif key == "embedding.runtime":
            assert value != "http"
        else:
            assert key.startswith(FREE)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a link that leads outside, and one that leads up within it."""
    root = tmp_path_factory.mktemp("world")
    folder = root / "p"
    (folder / "a" / "b").mkdir(parents=True)
    (root / "q").mkdir()
    (folder / "link").symlink_to(root / "q")
    (folder / "a" / "up").symlink_to("..")
    return folder


@given(parts=st.lists(st.sampled_from(["..", ".", "a", "b", "link", "up", "p", "q"]), max_size=8))
def test_a_path_is_inside_exactly_where_the_system_says_so(world: Path, parts: list[str]) -> None:
    path = absolute("/".join(parts) or ".", world)
    try:
        there = reached("/".join([str(world), *parts]), world)
    except (FileNotFoundError, NotADirectoryError):
        return
    assert is_inside(path, world) == there


def reached(path: str, folder: Path) -> bool:
    """Open `path` and walk up by the system's own `..`: is `folder` met on the way?"""
    wanted = folder.stat()
    handle = os.open(path, os.O_RDONLY)
    try:
        while not os.path.samestat(here := os.fstat(handle), wanted):
            above = os.open("..", os.O_RDONLY, dir_fd=handle)
            os.close(handle)
            handle = above
            if os.path.samestat(os.fstat(handle), here):
                return False
        return True
    finally:
        os.close(handle)


def test_the_hostile_file_is_valid_so_that_ignoring_is_what_is_tested() -> None:
    flat = tomllib.loads(HOSTILE)
    Settings.model_validate(flat, strict=True)
