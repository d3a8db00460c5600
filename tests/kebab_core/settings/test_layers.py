"""One layer at a time: what it takes, what it refuses, and in which words."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.errors import ConfigInvalid
from kebab_core.settings import catalogue, layers
from kebab_core.settings.files import SettingsFile
from kebab_core.settings.model import Settings
from kebab_core.text.clean import for_display

HERE = Path("/here")


def from_toml(text: str, file: str = "/there/kebab.toml") -> layers.Layer:
    return layers.from_file(SettingsFile(Path(file), "", tomllib.loads(text)), "user file")


def refused(text: str) -> ConfigInvalid:
    with pytest.raises(ConfigInvalid) as caught:
        from_toml(text)
    assert caught.value.message.startswith("/there/kebab.toml: ")
    assert caught.value.hint
    return caught.value


def refused_variable(**env: str) -> ConfigInvalid:
    with pytest.raises(ConfigInvalid) as caught:
        layers.from_environment(env, HERE)
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[ask]\nk = "8"', '`ask.k` is "8"; it takes a whole number from 1 to 50.'),
        ("[ask]\nk = 0", "`ask.k` is 0; it takes a whole number from 1 to 50."),
        ("[ask]\nk = 8.5", "`ask.k` is 8.5; it takes a whole number from 1 to 50."),
        ("[ask]\nk = true", "`ask.k` is true; it takes a whole number from 1 to 50."),
        ("[ask]\nk = [1]", "`ask.k` is a list; it takes a whole number from 1 to 50."),
        ("[ask]\nk = 1979-05-27", "`ask.k` is a date or time; it takes a whole number"),
        ("[ask]\nstream = 1", "`ask.stream` is 1; it takes true or false."),
        ('[ask]\nscore_gate = "high"', 'it takes "calibrated" or a number from 0 to 1.'),
        ('[ask]\nmode = "fast"', 'it takes one of "auto", "single" and "agentic".'),
        ("[ask]\nanswer_s = inf", "it takes a number above 0, 86400 at the most."),
        ("[models.ask]\nmodel = 3", "`models.ask.model` is 3; it takes a text."),
        ('[web]\nallow_hosts = "a"', "it takes a list of texts."),
        ("[tui.keys]\nsubmit = 1", "`tui.keys` is 1; it takes a table of texts."),
        ("ask = 3", "`ask` is a section, not a value: found 3."),
        ('[models]\nask = "ollama:x"', '`models.ask` is a section, not a value: found "ollama:x".'),
        ('sources = "x"', '`sources` is "x"; it takes a list of tables.'),
        ("sources = [1]", "[[sources]] number 1 is 1; it takes a table of `id`, `path`"),
        ('[[sources]]\nid = "a"', "[[sources]] number 1 needs `path`."),
        ('[[sources]]\nid = "a"\npath = 3', "[[sources]] number 1, `path`, is 3;"),
        (
            '[[sources]]\nid = "a"\npath = "x"\n[[sources]]\nid = "a"\npath = "y"',
            "In [[sources]], two sources are called a.",
        ),
    ],
)
def test_a_wrong_value_says_what_was_found_and_what_is_allowed(text: str, words: str) -> None:
    assert words in refused(text).message


@pytest.mark.parametrize(
    ("text", "key", "nearest"),
    [
        ("[ask]\nkk = 1", "ask.kk", "ask.k"),
        ("[serch]\nk = 1", "serch", "search"),
        ("temperature = 1", "temperature", "models.ask.temperature"),
        ('"ask.k" = 1', "ask.k", "ask.k"),
        ("[providers.openai_compatible]", "providers.openai_compatible", None),
        ("[zzzz]", "zzzz", None),
    ],
)
def test_an_unknown_key_names_the_nearest(text: str, key: str, nearest: str | None) -> None:
    error = refused(text)
    assert f"`{key}`" in error.message
    assert error.details["keys"] == [key]
    if nearest:
        assert f"the nearest is `{nearest}`" in error.message
        assert error.details["nearest"] == {key: nearest}


def test_an_underscore_is_near_its_hyphen() -> None:
    error = refused("[providers.openai_compatible]\nbase_url = 'http://x'")
    assert "providers.openai-compatible" in error.message


def test_a_misspelt_key_of_a_source_comes_before_what_is_missing() -> None:
    error = refused('[[sources]]\nid = "a"\npth = "x"')
    assert "there is no key `pth`; the nearest is `path`" in error.message
    assert error.message.index("pth") < error.message.index("needs `path`")


def test_all_mistakes_are_told_at_once() -> None:
    error = refused('[ask]\nk = "8"\nstream = 1\n[tui]\ntheme = 3')
    assert error.details["keys"] == ["ask.k", "ask.stream", "tui.theme"]
    many = refused("\n".join(f"unknown{n} = 1" for n in range(9)))
    assert "And 4 more." in many.message


@pytest.mark.parametrize(
    "text",
    [
        '[providers.openai]\napi_key = "sk-planted"',
        '[providers.openai]\napi_key_env = "sk-planted"',
        '[providers.openai]\nbase_url = "sk-planted"',
        '[providers]\nopenai = "sk-planted"',
        '[providers.openai]\ntoken = "sk-planted"',
        'api_key = "sk-planted"',
        '[embedding]\nbase_url = "sk-planted-and-so-long-that-it-must-be-a-key"',
        '[ask]\nk = "sk-planted-and-so-long-that-it-must-be-a-key"',
    ],
)
def test_a_secret_in_the_wrong_place_is_never_repeated(text: str) -> None:
    error = refused(text)
    assert "sk-planted" not in f"{error.message}{error.hint}{error.details}"


def test_a_key_in_the_file_is_told_where_keys_come_from() -> None:
    error = refused('[providers.openai]\napi_key = "sk-planted"')
    assert "`providers.openai.api_key_env`" in error.message
    assert "environment" in (error.hint or "")


def test_escape_sequences_in_a_key_are_made_visible() -> None:
    error = refused('"\\u001b[31m" = 1')
    assert "\x1b" not in f"{error.message}{error.hint}{error.details}"


# --- variables ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variable", "words"),
    [
        ("KEBAB_ASK__KK", "KEBAB_ASK__KK is no setting; the nearest is KEBAB_ASK__K."),
        ("KEBAB_MODELL_ASK", "KEBAB_MODELL_ASK is no setting; the nearest is KEBAB_MODEL_ASK."),
        ("KEBAB_ASK__K__X", "KEBAB_ASK__K__X is no setting; the nearest is KEBAB_ASK__K."),
        ("KEBAB_XQZW", "KEBAB_XQZW is no setting."),
    ],
)
def test_an_unknown_variable_names_the_nearest(variable: str, words: str) -> None:
    error = refused_variable(**{variable: "sk-planted"})
    assert words in error.message
    assert "sk-planted" not in f"{error.message}{error.hint}{error.details}"


def test_other_programs_variables_are_left_alone() -> None:
    env = {"KEBABS": "1", "_KEBAB_COMPLETE": "bash", "MY_KEBAB_ASK__K": "x", "PATH": "/bin"}
    assert layers.from_environment(env, HERE).values == {}


def test_a_wrong_value_names_the_variable() -> None:
    error = refused_variable(KEBAB_ASK__K="eight")
    assert error.message == (
        'The variable KEBAB_ASK__K: `ask.k` is "eight"; it takes a whole number from 1 to 50.'
    )
    assert "The variable KEBAB_WORKSPACE" in refused_variable(KEBAB_WORKSPACE="../x").message
    assert "The variable OLLAMA_HOST" in refused_variable(OLLAMA_HOST="ftp://x").message


def test_lists_tables_and_sections_are_json() -> None:
    layer = layers.from_environment(
        {
            "KEBAB_WEB__ALLOW_HOSTS": '["a", "b"]',
            "KEBAB_TUI__KEYS": '{"chat.stop": "ctrl+x"}',
            "KEBAB_ASK": '{"k": 3, "max_rounds": 2}',
            "KEBAB_ASK__K": "4",
        },
        HERE,
    )
    assert layer.values == {
        "web.allow_hosts": ["a", "b"],
        "tui.keys": {"chat.stop": "ctrl+x"},
        "ask.k": "4",
        "ask.max_rounds": 2,
    }
    assert layer.origins["ask.max_rounds"] == "KEBAB_ASK"
    assert layer.origins["ask.k"] == "KEBAB_ASK__K"


@pytest.mark.parametrize(
    "text", ["a,b", "", "3", "{}", "[", pytest.param("[" * 100_000, id="deep")]
)
def test_a_list_that_is_no_json_is_refused(text: str) -> None:
    message = refused_variable(KEBAB_WEB__ALLOW_HOSTS=text).message
    assert 'KEBAB_WEB__ALLOW_HOSTS takes JSON, such as ["a", "b"].' in message


def test_an_unknown_key_inside_a_json_section() -> None:
    assert "`ask.kk`" in refused_variable(KEBAB_ASK='{"kk": 3}').message


def _legal(name: str) -> st.SearchStrategy[Any]:
    default = catalogue.known_keys()[name].default
    if isinstance(default, bool):
        return st.booleans()
    if isinstance(default, list):
        return st.lists(st.text(st.characters(codec="ascii")), max_size=3)
    if isinstance(default, dict):
        return st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3)
    return st.just(default)


@given(st.data())
def test_a_variable_says_the_same_as_the_file(data: st.DataObject) -> None:
    names = [name for name in catalogue.known_keys() if name != "sources"]
    name = data.draw(st.sampled_from(names))
    value = data.draw(_legal(name))
    text = value if isinstance(value, str) else json.dumps(value)
    file = SettingsFile(Path("/there/kebab.toml"), "", catalogue.nested({name: value}))
    by_file = layers.from_file(file, "user file")
    by_variable = layers.from_environment({catalogue.variable_of(name): text}, HERE)
    settings = [
        Settings.model_validate(catalogue.nested(layer.values)) for layer in (by_file, by_variable)
    ]
    assert settings[0] == settings[1]


toml_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(
    st.dictionaries(
        st.sampled_from([*catalogue.known_sections(), *catalogue.known_keys()]) | st.text(),
        toml_values,
        max_size=4,
    )
)
def test_any_file_is_taken_or_refused_in_words(flat: dict[str, Any]) -> None:
    table: dict[str, Any] = {}
    for name, value in flat.items():
        *path, last = name.split(".")
        inner = table
        for part in path:
            inner = inner.setdefault(part, {})
            if not isinstance(inner, dict):
                return
        inner[last] = value
    try:
        layer = layers.from_file(SettingsFile(Path("/there/kebab.toml"), "", table), "user file")
    except ConfigInvalid as error:
        told = error.message
    else:
        Settings.model_validate(catalogue.nested(layer.values))
        return
    assert told.startswith("/there/kebab.toml: ")
    assert told == for_display(told)


@given(st.dictionaries(st.text(), st.text(), max_size=4))
def test_any_environment_is_taken_or_refused_in_words(env: dict[str, str]) -> None:
    kebabs = {f"KEBAB_{name}": value for name, value in env.items()}
    if kebabs:
        assert "is no setting" in refused_variable(**kebabs).message


def test_absolute(own_home: Path) -> None:
    assert layers.absolute("a/b", HERE) == "/here/a/b"
    assert layers.absolute(".", HERE) == "/here"
    assert layers.absolute("/a", HERE) == "/a"
    assert layers.absolute("../a", HERE) == "/a"
    assert layers.absolute("~/a", HERE) == str(own_home / "a")
    assert layers.absolute("~no-such-person/a", HERE) == "/here/~no-such-person/a"
