"""Request bodies: read up to a cap, in a time, and checked."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import ClientDisconnect, Request

from kebab_server.refused import Refused

BODY_TIMEOUT_S = 20.0
T = TypeVar("T", bound=BaseModel)


async def read(request: Request, model: type[T], most: int, *, or_nothing: bool = False) -> T:
    """The body as `model`; with `or_nothing` no body is an empty object.

    Raises Refused: 413 past `most` bytes, 408 if it doesn't come, 422 if it isn't right.
    """
    body = await _bytes(request, most)
    if or_nothing and not body.strip():
        body = b"{}"
    try:
        return model.model_validate_json(body)
    except ValidationError as wrong:
        raise _unprocessable(wrong) from None


async def _bytes(request: Request, most: int) -> bytes:
    told = request.headers.get("content-length", "0")
    if told.isdecimal() and int(told) > most:
        raise _too_large(most)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise _too_large(most)
                parts.append(part)
    except TimeoutError:
        raise Refused(
            408,
            "timeout",
            f"The body didn't come within {BODY_TIMEOUT_S:g} s.",
            headers={"Connection": "close"},
        ) from None
    except ClientDisconnect:
        raise Refused(400, "invalid_input", "The client left in the middle of its body.") from None
    return b"".join(parts)


def _too_large(most: int) -> Refused:
    # What is left of the body is never read, so the connection can't be used again.
    return Refused(
        413,
        "invalid_input",
        f"The body is longer than {most:,} bytes.",
        headers={"Connection": "close"},
    )


def _unprocessable(wrong: ValidationError) -> Refused:
    """What is wrong and where, without repeating what was sent."""
    problems = [
        {"where": ".".join(str(part) for part in error["loc"]), "what": error["msg"]}
        for error in wrong.errors(include_url=False, include_input=False, include_context=False)
    ][:10]
    first = problems[0]
    where = f"{first['where']}: " if first["where"] else ""
    return Refused(
        422,
        "invalid_input",
        f"The body isn't right: {where}{first['what']}.",
        "See /openapi.json for what it holds.",
        details={"problems": problems},
    )
