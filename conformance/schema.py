"""The kept OpenAPI document, to hold replies and events to."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

DOCUMENT = Path(__file__).resolve().parent.parent / "docs/wire-schema/v1/ask.openapi.json"
WIRE = DOCUMENT.parent


@cache
def _of_service(name: str) -> jsonschema.Draft202012Validator:
    components = json.loads(DOCUMENT.read_text(encoding="utf-8"))["components"]
    schema = {"$ref": f"#/components/schemas/{name}", "components": components}
    return jsonschema.Draft202012Validator(schema)


@cache
def _of_wire(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((WIRE / f"{name}.schema.json").read_text(encoding="utf-8"))
    return jsonschema.Draft202012Validator(schema)


def wrong_by(name: str, value: Any) -> str | None:
    """Why `value` isn't a `name` of the service's document; None where it is."""
    return _first(_of_service(name), value)


def wrong_by_wire(name: str, value: Any) -> str | None:
    """The same by `docs/wire-schema/v1/NAME.schema.json`."""
    return _first(_of_wire(name), value)


def _first(validator: jsonschema.Draft202012Validator, value: Any) -> str | None:
    found = next(iter(validator.iter_errors(value)), None)
    return None if found is None else f"{found.json_path}: {found.message}"[:300]
