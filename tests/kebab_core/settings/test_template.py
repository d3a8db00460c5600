"""The file of `kebab init`, and its JSON Schema."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.errors import InvalidInput, IOFailed
from kebab_core.settings import catalogue, layers
from kebab_core.settings.file_schema import file_schema
from kebab_core.settings.files import SettingsFile
from kebab_core.settings.model import Settings, SourceSection
from kebab_core.settings.state import UserState
from kebab_core.settings.template import template, toml, write_template


def uncommented() -> dict[str, Any]:
    """The template with every value switched on."""
    return tomllib.loads(re.sub(r"^#(?=[a-z\[])", "", template(), flags=re.MULTILINE))


def test_as_it_is_it_sets_nothing() -> None:
    table = tomllib.loads(template())
    layer = layers.from_file(SettingsFile(Path("/x/kebab.toml"), "", table), "user file")
    assert layer.values == {}


def test_every_value_switched_on_is_the_default() -> None:
    table = uncommented()
    (source,) = table.pop("sources")
    assert Settings.model_validate(table, strict=True) == Settings()
    assert set(source) == set(SourceSection.model_fields)
    layer = layers.from_file(SettingsFile(Path("/x/kebab.toml"), "", table), "user file")
    assert set(layer.values) == catalogue.known_keys().keys() - {"sources"}


def test_every_line_before_a_value_says_what_it_is() -> None:
    lines = template().splitlines()
    for before, line in pairwise(lines):
        if re.match(r"#[a-z]", line):
            assert before.startswith("# ")
    assert max(map(len, lines)) <= 90


def test_it_is_written_once(tmp_path: Path) -> None:
    state = UserState(tmp_path / "state.json")
    file = write_template(tmp_path / "new" / "kebab.toml", state)
    assert file.read_text() == template()
    file.write_text("[ask]\nk = 3\n")
    with pytest.raises(InvalidInput, match="there already"):
        write_template(file, state)
    assert file.read_text() == "[ask]\nk = 3\n"


def test_a_dangling_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "kebab.toml").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InvalidInput):
        write_template(tmp_path / "kebab.toml", UserState(None))
    assert not (tmp_path / "elsewhere").exists()


def test_where_it_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IOFailed):
        write_template(tmp_path / "file" / "kebab.toml", UserState(None))


toml_values = st.recursive(
    st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(toml_values)
def test_toml_comes_back(value: Any) -> None:
    assert tomllib.loads(f"x = {toml(value)}")["x"] == value


# --- schema ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = file_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_schema_takes_what_the_model_takes(
    validator: jsonschema.Draft202012Validator,
) -> None:
    validator.validate(uncommented())
    validator.validate({})
    validator.validate({"providers": {"openai-compatible": {"base_url": "http://127.0.0.1:1"}}})


@pytest.mark.parametrize(
    "text",
    [
        "[ask]\nkk = 1",
        "[serch]",
        "[ask]\nk = 0",
        '[ask]\nk = "8"',
        "[ask]\nanswer_s = 0",
        '[[sources]]\nid = "a"',
        '[[sources]]\nid = "a/b"\npath = "x"',
        '[providers.openai_compatible]\nbase_url = "http://x"',
        '[providers.openai]\napi_key_env = "sk-x"',
    ],
)
def test_the_schema_refuses_what_the_model_refuses(
    validator: jsonschema.Draft202012Validator, text: str
) -> None:
    assert not validator.is_valid(tomllib.loads(text))


def test_every_key_is_described_in_the_schema() -> None:
    schema = file_schema()
    tables = {**schema["$defs"], "": schema}
    nameless = [
        f"{name}.{key}"
        for name, table in tables.items()
        for key, own in table["properties"].items()
        if not own.get("description")
    ]
    assert nameless == []
