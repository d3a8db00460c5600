"""What another kebab says went wrong, as this one's errors."""

from __future__ import annotations

import json
from typing import Any

from kebab_core.errors import IOFailed, KebabError, PermissionDenied, RateLimited
from kebab_core.settings.catalogue import TOKEN_VARIABLE
from kebab_core.text.clean import for_display

_LONGEST = 500


def of_reply(status: int, body: bytes, url: str) -> KebabError:
    """The failure that a reply of `status` means."""
    try:
        told = json.loads(body)
    except ValueError:
        told = None
    if not isinstance(told, dict) or told.get("schema_version") != "error.v1":
        return IOFailed(
            f"{url} answered {status}, and not as a kebab does.",
            "Check the address: it is the one that `kebab serve` printed.",
        )
    if status == 401:
        return PermissionDenied(
            f"{url} doesn't take this token: {_shown(told.get('message'))}",
            f"Check {TOKEN_VARIABLE}.",
        )
    if status == 429:
        return RateLimited(f"{url}: {_shown(told.get('message'))}", _shown(told.get("hint")))
    return of_error(told)


def of_error(told: dict[str, Any]) -> KebabError:
    """The failure with the code of an `error.v1`."""
    kinds = {kind.code: kind for kind in _all(KebabError)}
    kind = kinds.get(str(told.get("code")), KebabError)
    hint = told.get("hint")
    return kind(_shown(told.get("message")), None if hint is None else _shown(hint))


def _shown(text: object) -> str:
    return " ".join(for_display(str(text or "")).split())[:_LONGEST]


def _all(kind: type[KebabError]) -> list[type[KebabError]]:
    return [kind, *(found for child in kind.__subclasses__() for found in _all(child))]
