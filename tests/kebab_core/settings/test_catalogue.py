"""All keys, their variables, and the nearest to a slip."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.settings import catalogue
from kebab_core.settings.model import Settings

KEYS = list(catalogue.known_keys())


def test_every_key_and_section_says_what_it_means() -> None:
    assert [key.name for key in catalogue.known_keys().values() if not key.meaning] == []
    assert [name for name in catalogue.known_sections() if not catalogue.meaning_of(name)] == []


def test_variables_name_each_key_once() -> None:
    names = [key.variable for key in catalogue.known_keys().values()]
    assert len(set(names)) == len(names)
    assert all(set(name) <= set(string.ascii_uppercase + "_") for name in names)
    assert catalogue.variables()["KEBAB_PROVIDERS__WORKERS_AI__ACCOUNT"] == (
        "providers.workers-ai.account"
    )


def test_short_variables_name_real_keys() -> None:
    assert set(catalogue.SHORT_VARIABLES.values()) <= set(KEYS)
    assert catalogue.SHORT_VARIABLES["KEBAB_MODEL_FOLLOWUPS"] == "models.followups.model"


def test_defaults_are_the_models_own() -> None:
    settings = Settings()
    for name, key in catalogue.known_keys().items():
        assert catalogue.value_of(settings, name) == key.default


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("ask.kk", "ask.k"),
        ("serch", "search"),
        ("model", "models"),
        ("model.ask", "models.ask"),
        ("temperature", "models.ask.temperature"),
        ("ask.temperature", "models.ask.temperature"),
        ("stream", "ask.stream"),
        ("web.hosts", "web.allow_hosts"),
        ("providers.open-ai", "providers.openai"),
        ("tui.reduce_motion", "tui.reduced_motion"),
        ("qqqqqqqq", None),
    ],
)
def test_nearest(written: str, meant: str | None) -> None:
    assert catalogue.nearest(written) == meant


@given(st.data())
def test_a_doubled_letter_is_understood(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from([name for name in KEYS if len(name.rpartition(".")[2]) > 3]))
    last = name.rpartition(".")[2]
    at = len(name) - len(last) + data.draw(st.integers(0, len(last) - 1))
    slip = name[: at + 1] + name[at:]
    assert catalogue.nearest(slip) == name


def test_nearest_variable() -> None:
    assert catalogue.nearest_variable("KEBAB_MODELL_ASK") == "KEBAB_MODEL_ASK"
    assert catalogue.nearest_variable("KEBAB_DATADIR") == "KEBAB_DATA_DIR"
    assert catalogue.nearest_variable("KEBAB_ASK_K") == "KEBAB_ASK__K"
    assert catalogue.nearest_variable("KEBAB_XQZW") is None


def test_nested_tables() -> None:
    assert catalogue.nested({"a.b.c": 1, "a.d": 2, "e": 3}) == {
        "a": {"b": {"c": 1}, "d": 2},
        "e": 3,
    }
