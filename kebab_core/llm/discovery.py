"""One quick look for an Ollama on this machine.

It runs before the first answer of a person who has set nothing, so it does without the big HTTP
client, and ends soon after `PROBE_SECONDS` whatever answers there.
"""

from __future__ import annotations

import json
import time
from datetime import datetime
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from kebab_core.llm.endpoint import Endpoint
from kebab_core.llm.ollama import listed_models

PROBE_SECONDS = 0.2
_MAX_BYTES = 1_000_000
# Model families of Ollama's library that embed and don't chat.
_EMBEDDERS = ("bert", "embed", "minilm", "bge-", "gte-", "e5-")


def newest_ollama_model(base_url: str) -> str | None:
    """The chat model that was changed last on the Ollama at `base_url`.

    None if that isn't loopback, nobody answers in time, or it has no chat model.
    """
    if not Endpoint("ollama", "", base_url).is_loopback or not base_url.startswith("http://"):
        return None
    deadline = time.monotonic() + PROBE_SECONDS
    tags = _request(base_url, "GET", "/api/tags", None, deadline)
    for name in _by_age(tags):
        shown = _request(base_url, "POST", "/api/show", {"model": name}, deadline)
        if _can_chat(name, shown):
            return name
    return None


def ollama_models(base_url: str) -> list[str]:
    """The chat models of the Ollama at `base_url`, the one changed last first.

    None of them if that isn't loopback or nobody answers in time.
    """
    if not Endpoint("ollama", "", base_url).is_loopback or not base_url.startswith("http://"):
        return []
    return _by_age(_request(base_url, "GET", "/api/tags", None, time.monotonic() + PROBE_SECONDS))


def _by_age(tags: object) -> list[str]:
    """Names of the chat models as far as the list tells, the one changed last first."""
    models = [model for model in listed_models(tags) if not _looks_like_embedder(model)]
    models.sort(key=_changed, reverse=True)
    return [str(model["name"]) for model in models]


def _changed(model: dict[str, Any]) -> float:
    try:
        # Ollama writes nanoseconds, which not every Python reads; microseconds do.
        text = str(model.get("modified_at"))
        head, dot, tail = text.partition(".")
        digits = len(tail) - len(tail.lstrip("0123456789"))
        return datetime.fromisoformat(f"{head}{dot}{tail[:digits][:6]}{tail[digits:]}").timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _looks_like_embedder(model: dict[str, Any]) -> bool:
    details = model.get("details")
    family = str(details.get("family", "")) if isinstance(details, dict) else ""
    words = f"{model['name']} {family}".lower()
    return any(mark in words for mark in _EMBEDDERS)


def _can_chat(name: str, shown: object) -> bool:
    capabilities = shown.get("capabilities") if isinstance(shown, dict) else None
    # Older servers don't tell, and a slow one hasn't: then the list's word stands.
    return "completion" in capabilities if isinstance(capabilities, list) else bool(name)


def _request(
    base_url: str, method: str, path: str, body: dict[str, Any] | None, deadline: float
) -> object:
    """The JSON of a reply of 200, None for anything else by the deadline."""
    parts = urlsplit(base_url)
    server = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=_left(deadline))
    try:
        content = json.dumps(body) if body is not None else None
        server.request(method, f"{parts.path}{path}", content)
        reply = server.getresponse()
        text = b""
        while len(text) < _MAX_BYTES and (part := reply.read1(65_536)):
            text += part
            if time.monotonic() > deadline:
                return None
            if server.sock is not None:
                server.sock.settimeout(_left(deadline))
        return json.loads(text) if reply.status == 200 else None
    except (OSError, HTTPException, ValueError, RecursionError):
        # Nobody there, or nobody that we know: then nothing was found.
        return None
    finally:
        server.close()


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    return max(left, 0.001)
