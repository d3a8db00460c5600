"""The JSON Schema of `kebab.toml`, for editors."""

from __future__ import annotations

from typing import Any

from kebab_core.settings import catalogue, model
from kebab_core.settings.model import Section, Settings

SCHEMA_ID = "https://kb.local/settings/kebab.toml.schema.json"


def file_schema() -> dict[str, Any]:
    """JSON Schema 2020-12; each key with its default, its bounds and what it means."""
    schema = Settings.model_json_schema(by_alias=True)
    tables: dict[str, Any] = schema.pop("$defs")
    for name, table in {**tables, "Settings": schema}.items():
        _describe(table, getattr(model, name))
    for dotted in catalogue.known_sections():
        if dotted:
            _property(schema, tables, dotted)["description"] = catalogue.meaning_of(dotted)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID,
        **schema,
        "title": "kebab.toml",
        "$defs": tables,
    }


def _describe(table: dict[str, Any], owner: type[Section]) -> None:
    meanings = catalogue.meanings(owner)
    table.pop("title", None)
    for field, info in owner.model_fields.items():
        own = table["properties"][info.alias or field]
        own.pop("title", None)
        if field in meanings:
            own["description"] = meanings[field]


def _property(schema: dict[str, Any], tables: dict[str, Any], dotted: str) -> dict[str, Any]:
    *path, last = dotted.split(".")
    node = schema
    for part in path:
        node = tables[node["properties"][part]["$ref"].rpartition("/")[2]]
    found: dict[str, Any] = node["properties"][last]
    return found
