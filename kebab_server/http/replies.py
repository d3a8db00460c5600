"""JSON replies."""

from __future__ import annotations

from pydantic import BaseModel
from starlette.responses import Response

from kebab_core import api
from kebab_server.refused import Refused

_STATUS = {
    "invalid_input": 422,
    "config_invalid": 422,
    "not_found": 404,
    "permission_denied": 403,
    "model_not_found": 422,
    "model_required": 422,
}


def reply(value: BaseModel, status: int = 200) -> Response:
    body = value.model_dump_json(by_alias=True)
    return Response(body, status, media_type="application/json")


def of_refused(refused: Refused) -> Response:
    body = refused.error.to_line()
    return Response(body, refused.status, headers=refused.headers, media_type="application/json")


def of_failure(failure: api.KebabError) -> Response:
    """A failure of the core that has no better place."""
    status = _STATUS.get(failure.code, 503)
    headers = {"Retry-After": "5"} if status == 503 else {}
    body = api.Error.of(failure).to_line()
    return Response(body, status, headers=headers, media_type="application/json")
