"""What kebab writes, against its published schemas."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema

from kebab_core.api import json_schema_text


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads(json_schema_text(name))
    return jsonschema.Draft202012Validator(
        schema, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )


def valid(name: str, line: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(line)
    validator(name).validate(value)
    return value
