"""The kept schemas are the models', and the kept examples are valid under them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from kebab_core.wire.export import TYPES, json_schema, json_schema_text

KEPT = Path(__file__).resolve().parents[3] / "docs" / "wire-schema" / "v1"


@pytest.mark.parametrize("name", sorted(TYPES))
def test_kept_schema_is_current(name: str) -> None:
    kept = (KEPT / f"{name}.schema.json").read_text(encoding="utf-8")
    assert kept == json_schema_text(name), "run `make docs`"


def test_no_schema_is_kept_that_no_model_makes() -> None:
    assert {path.name for path in KEPT.glob("*.schema.json")} == {
        f"{name}.schema.json" for name in TYPES
    }


@pytest.mark.parametrize("name", sorted(TYPES))
def test_kept_examples_are_valid(name: str) -> None:
    schema = json_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )
    lines = (KEPT / "examples" / f"{name}.ndjson").read_text(encoding="utf-8").splitlines()
    assert lines
    for line in lines:
        validator.validate(json.loads(line))
        # The example says exactly what the model says back: nothing is lost on the way.
        assert json.loads(TYPES[name].model_validate_json(line).model_dump_json(by_alias=True)) == (
            json.loads(line)
        )


@pytest.mark.parametrize("name", sorted(TYPES))
def test_a_schema_names_its_version_and_demands_it(name: str) -> None:
    schema = json_schema(name)
    assert schema["$id"] == f"https://kb.local/wire/v1/{name}.schema.json"
    assert schema["$schema"].endswith("2020-12/schema")
    members = schema.get("oneOf")
    if members is None:
        assert schema["properties"]["schema_version"]["const"] == f"{name}.v1"
        assert "schema_version" in schema["required"]
    else:
        for member in members:
            part = schema["$defs"][member["$ref"].rsplit("/", 1)[-1]]
            assert part["properties"]["schema_version"]["const"] == f"{name}.v1"
            assert "schema_version" in part["required"]


def test_answer_event_has_exactly_three_kinds() -> None:
    schema = json_schema("answer_event")
    assert schema["title"] == "AnswerEvent v1"
    assert set(schema["discriminator"]["mapping"]) == {"retrieval_done", "token", "final"}
