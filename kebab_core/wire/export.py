"""JSON Schemas (2020-12) of every wire type."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel

from kebab_core.wire.answer import Answer
from kebab_core.wire.answer_event import AnswerEvent, SearchEvent
from kebab_core.wire.base import BASE_ID
from kebab_core.wire.citation import Citation
from kebab_core.wire.documents import ChunkInspection, DocSummary, FetchResult
from kebab_core.wire.error import Error
from kebab_core.wire.ingest import IngestProgress, IngestReport
from kebab_core.wire.reports import (
    Doctor,
    EvalReport,
    SchemaReport,
    SettingsReport,
    SpendReport,
    WhyReport,
)
from kebab_core.wire.search_hit import SearchHit
from kebab_core.wire.search_response import SearchResponse
from kebab_core.wire.session import Session

TYPES: dict[str, type[BaseModel]] = {
    "answer": Answer,
    "answer_event": AnswerEvent,
    "chunk_inspection": ChunkInspection,
    "citation": Citation,
    "doc_summary": DocSummary,
    "doctor": Doctor,
    "error": Error,
    "eval_report": EvalReport,
    "fetch_result": FetchResult,
    "ingest_progress": IngestProgress,
    "ingest_report": IngestReport,
    "schema": SchemaReport,
    "search_event": SearchEvent,
    "search_hit": SearchHit,
    "search_response": SearchResponse,
    "session": Session,
    "settings": SettingsReport,
    "spend_report": SpendReport,
    "why_report": WhyReport,
}
"""Wire name (without its version) to model."""


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of the wire type `name`, such as `answer`. KeyError for another name."""
    schema = TYPES[name].model_json_schema(by_alias=True, mode="validation")
    title = "".join(word.capitalize() for word in name.split("_"))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{BASE_ID}/{name}.schema.json",
        **schema,
        "title": f"{title} v1",
    }


def json_schema_text(name: str) -> str:
    """The schema as it is kept in `docs/wire-schema/v1`, newline at its end."""
    return json.dumps(json_schema(name), indent=2, ensure_ascii=False) + "\n"
