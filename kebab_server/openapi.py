"""The service's OpenAPI document, made of the models that it reads and writes.

`python -m kebab_server.openapi` prints it as it is kept in `docs/wire-schema/v1`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode, models_json_schema

from kebab_core import api
from kebab_server.contract import bodies
from kebab_server.contract.events import TicketEvent

_REF = "#/components/schemas/{model}"
_MODELS: list[type[BaseModel]] = [
    bodies.NewConversation,
    bodies.NewAsk,
    bodies.NewSearch,
    bodies.NewAnswer,
    bodies.ConversationMade,
    bodies.TicketMade,
    bodies.TicketState,
    bodies.Cancelled,
    bodies.Health,
    bodies.PageAnswer,
    bodies.PageError,
    bodies.StarterList,
    TicketEvent,
    api.Error,
    api.SearchResponse,
]
# Described as they are read: requests, and the core's wire types, whose own schemas are so too.
_AS_READ = {"NewConversation", "NewAsk", "NewSearch", "NewAnswer", "Error", "SearchResponse"}


@cache
def document() -> dict[str, Any]:
    """OpenAPI 3.1."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "kebab ask service",
            "version": "1",
            "description": "A ticket now, events as they happen, an answer, an abstention or a "
            "refusal. Within version 1 only optional fields and new enum values are added.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "security": [{"bearer": []}],
        "paths": _paths(),
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "schemas": _schemas(),
        },
    }


def text() -> str:
    return json.dumps(document(), indent=2, ensure_ascii=False) + "\n"


def _schemas() -> dict[str, Any]:
    inputs: list[tuple[type[BaseModel], JsonSchemaMode]] = [
        (model, "validation" if model.__name__ in _AS_READ else "serialization")
        for model in _MODELS
    ]
    _, found = models_json_schema(inputs, ref_template=_REF, schema_generator=_Plain)
    schemas: dict[str, Any] = found["$defs"]
    return dict(sorted(schemas.items()))


class _Plain(GenerateJsonSchema):
    """Fields with a default are written all the same, so a reader can rely on them."""

    def field_is_required(self, field: Any, total: bool) -> bool:
        if self.mode == "serialization" and field["type"] == "model-field":
            return not field.get("serialization_exclude")
        return super().field_is_required(field, total)


def _paths() -> dict[str, Any]:
    conversation = _in_path("conversation_id")
    ticket = _in_path("ticket")
    resume = {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "The last `id:` seen: resumes after it. 0 or absent replays all.",
        "schema": {"type": "string", "pattern": "^[0-9]{0,15}$"},
    }
    kept = {404: "Not there, or another's.", 410: "Expired less than an hour ago."}
    return {
        "/health": {
            "get": {
                **_operation("Whether requests are taken.", {200: ("It is well.", "Health")}),
                "security": [],
            }
        },
        "/v1/conversations": {
            "post": _operation(
                "Open a conversation. It lives in memory, `ttl` after its last ask.",
                {201: ("Opened.", "ConversationMade"), **_errors({})},
                body="NewConversation",
                body_is_optional=True,
            )
        },
        "/v1/conversations/{conversation_id}/asks": {
            "post": _operation(
                "Ask in it. The ticket comes before anything runs.",
                {
                    202: ("Accepted.", "TicketMade"),
                    **_errors({404: kept[404], 409: "An ask is running in this conversation."}),
                },
                body="NewAsk",
                parameters=[conversation],
            )
        },
        "/v1/asks/{ticket}": {
            "get": _operation(
                "How far it is.",
                {200: ("Its state.", "TicketState"), **_errors(kept, body=False)},
                parameters=[ticket],
            )
        },
        "/v1/asks/{ticket}/events": {
            "get": _operation(
                "Its events as server-sent events, each a `TicketEvent`; closes after `done`. "
                "A comment every 15 s while quiet.",
                {200: ("Events.", None), **_errors({**kept, 422: "A wrong Last-Event-ID."})},
                parameters=[ticket, resume],
                streams="TicketEvent",
            )
        },
        "/v1/asks/{ticket}/stream": {
            "get": _operation(
                "The same run as `answer_event.v1` and `search_event.v1`, ids from 1; then "
                "`error` (an `error.v1`) if it failed, then `done`.",
                {200: ("Lines.", None), **_errors({**kept, 422: "A wrong Last-Event-ID."})},
                parameters=[ticket, resume],
            )
        },
        "/v1/asks/{ticket}/cancel": {
            "post": _operation(
                "End it. Idempotent, also when it is over.",
                {202: ("It is over.", "Cancelled"), **_errors(kept, body=False)},
                parameters=[ticket],
            )
        },
        "/v1/search": {
            "post": _operation(
                "Passages, among what the caller may read. Scores are 0 and null where that "
                "isn't the whole corpus.",
                {
                    200: ("Hits.", "SearchResponse"),
                    **_errors({503: "There is no corpus, or it can't be read."}),
                },
                body="NewSearch",
            )
        },
        "/api/ask": {
            "post": _operation(
                "Ask and read on the same line. With `Accept: text/event-stream`: `sources`, "
                "`delta`s, then `done` or `error`. Hanging up cancels.",
                {
                    200: ("The answer.", "PageAnswer"),
                    **_errors(
                        {
                            404: "No such conversation.",
                            409: "An ask is running in this conversation.",
                        }
                    ),
                    503: ("Retrieval or the model failed.", "PageError"),
                },
                body="NewAnswer",
                also_streams=True,
            )
        },
        "/api/ask/starters": {
            "get": _operation(
                "First questions, from what the caller may read. May call a model.",
                {200: ("Three to five, none without documents.", "StarterList"), **_errors({})},
            )
        },
    }


def _errors(more: Mapping[int, str], *, body: bool = True) -> dict[int, tuple[str, str]]:
    """Those of every call that needs a bearer, and `more`."""
    usual = {401: "No bearer, or a bad one.", 403: "The bearer may not.", 429: "Too many."}
    if body:
        usual |= {400: "The client left.", 408: "The body didn't come.", 413: "A body too long."}
        usual |= {422: "The body isn't right."}
    usual |= {503: "The service is shutting down, or its identity provider is away."}
    return {status: (words, "Error") for status, words in sorted({**usual, **more}.items())}


def _operation(
    summary: str,
    replies: Mapping[int, tuple[str, str | None]],
    *,
    body: str | None = None,
    body_is_optional: bool = False,
    parameters: list[dict[str, Any]] | None = None,
    streams: str | None = None,
    also_streams: bool = False,
) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    for status, (words, model) in sorted(replies.items()):
        content: dict[str, Any] = {}
        if model is not None:
            content["application/json"] = {"schema": _ref(model)}
        if status == 200 and (model is None or also_streams):
            stream: dict[str, Any] = {"schema": {"type": "string"}}
            if streams is not None:
                stream["x-event-schema"] = _ref(streams)
            content["text/event-stream"] = stream
        responses[str(status)] = {"description": words, "content": content}
    found: dict[str, Any] = {"summary": summary, "responses": responses}
    if parameters:
        found["parameters"] = parameters
    if body is not None:
        found["requestBody"] = {
            "required": not body_is_optional,
            "content": {"application/json": {"schema": _ref(body)}},
        }
    return found


def _in_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _ref(model: str) -> dict[str, str]:
    return {"$ref": _REF.format(model=model)}


if __name__ == "__main__":
    sys.stdout.write(text())
