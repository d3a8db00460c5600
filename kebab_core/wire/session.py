"""`session.v1`: a conversation, with each turn's evidence as it was."""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from pydantic import Field

from kebab_core.wire.answer import Answer
from kebab_core.wire.base import Timestamp, WireModel
from kebab_core.wire.error import Error
from kebab_core.wire.search_hit import SearchHit

Since: TypeAlias = Literal["same", "changed", "gone"]


class Evidence(WireModel):
    """A passage a turn was given, kept as it was: the file may change later."""

    optional: ClassVar[frozenset[str]] = frozenset({"since"})

    n: int
    hit: SearchHit
    content_hash: str = Field(description="BLAKE2b-128 of the passage's text.")
    since: Since | None = Field(
        default=None,
        description="In an export: what became of the source since. Left out for the web.",
    )


class Turn(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"error"})

    turn_index: int = Field(ge=0)
    question: str
    answer: Answer | None
    state: Literal["answered", "abstained", "cancelled", "failed", "running"]
    error: Error | None = None
    rating: int | None = Field(default=None, description="1 thumb up, -1 thumb down.")
    created_at: Timestamp
    evidence: list[Evidence] = []


class Session(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"turns"})

    schema_version: Literal["session.v1"] = "session.v1"
    session_id: str
    title: str
    origin: Literal["chat", "cli", "mcp", "http"]
    created_at: Timestamp
    updated_at: Timestamp
    turn_count: int
    turns: list[Turn] | None = Field(default=None, description="Left out in a listing.")
