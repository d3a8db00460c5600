"""`search_response.v1`."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kebab_core.wire.base import WireModel
from kebab_core.wire.search_hit import SearchHit


class SearchResponse(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"next_cursor", "notes"})

    schema_version: Literal["search_response.v1"] = "search_response.v1"
    hits: list[SearchHit]
    next_cursor: str | None = None
    truncated: bool
    mode: Literal["lexical", "vector", "hybrid"]
    limited: bool
    warnings: list[str]
    notes: list[str] | None = Field(default=None, description="How it was found, if asked for.")
