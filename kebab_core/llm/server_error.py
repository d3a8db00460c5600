"""A server's own account of what went wrong, in whichever shape it came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class ServerError:
    """`kind` holds its type and code as words, `status` its code where that is a number."""

    message: str = ""
    kind: str = ""
    param: str = ""
    status: int | None = None


def read_error(body: object) -> ServerError:
    """From JSON of OpenAI, Anthropic, Ollama, vLLM, FastAPI, Cloudflare and their like."""
    if isinstance(body, list):
        body = body[0] if body else None
    if not isinstance(body, Mapping):
        return ServerError(str(body) if isinstance(body, str) else "")
    inner: object = body.get("error")
    errors = body.get("errors")
    if not inner and isinstance(errors, list) and errors:
        inner = errors[0]
    if isinstance(inner, Mapping):
        body = inner
    elif isinstance(inner, str) and inner:
        return ServerError(inner)
    words = body.get("message") or body.get("detail") or body.get("error")
    code = body.get("code")
    kinds = [value for value in (body.get("type"), code) if isinstance(value, str)]
    return ServerError(
        message=words if isinstance(words, str) else json.dumps(words) if words else "",
        kind=" ".join(kinds),
        param=str(body.get("param") or ""),
        status=code if isinstance(code, int) and 400 <= code < 600 else None,
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of a `Retry-After`, which is a number or a date (RFC 9110, 10.2.3)."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    from email.utils import parsedate_to_datetime

    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())
