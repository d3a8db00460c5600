"""`error.v1`: what went wrong, what was tried, what to type next."""

from __future__ import annotations

from typing import Any, Literal

from kebab_core.errors import KebabError
from kebab_core.wire.base import WireModel

ErrorCode = Literal[
    "config_invalid",
    "invalid_input",
    "not_indexed",
    "index_incompatible",
    "store_locked",
    "model_unreachable",
    "model_not_found",
    "model_refused",
    "model_empty",
    "model_interrupted",
    "model_required",
    "rate_limited",
    "timeout",
    "embedder_unavailable",
    "unsupported_format",
    "io_error",
    "permission_denied",
    "not_found",
    "stale_cursor",
    "internal",
]


class Error(WireModel):
    schema_version: Literal["error.v1"] = "error.v1"
    code: ErrorCode
    message: str
    hint: str | None
    details: dict[str, Any] = {}

    @classmethod
    def of(cls, error: KebabError) -> Error:
        """The wire form of a failure."""
        return cls.model_validate(
            {
                "code": error.code,
                "message": error.message,
                "hint": error.hint,
                "details": error.details,
            }
        )
