"""`answer_event.v1` (exactly three kinds) and `search_event.v1` (tool activity, kept apart)."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, RootModel

from kebab_core.wire.answer import Answer
from kebab_core.wire.base import Timestamp, WireModel
from kebab_core.wire.search_hit import SearchHit


class RetrievalDoneEvent(WireModel):
    """Once, right after the first retrieval and before the model is called."""

    schema_version: Literal["answer_event.v1"] = "answer_event.v1"
    kind: Literal["retrieval_done"] = "retrieval_done"
    ts: Timestamp
    hits: list[SearchHit]


class TokenEvent(WireModel):
    """Every piece of prose as it arrives."""

    schema_version: Literal["answer_event.v1"] = "answer_event.v1"
    kind: Literal["token"] = "token"
    ts: Timestamp
    delta: str
    turn_index: Annotated[int, Field(ge=0)] | None


class FinalEvent(WireModel):
    """Once, after all tokens. The only terminal kind."""

    schema_version: Literal["answer_event.v1"] = "answer_event.v1"
    kind: Literal["final"] = "final"
    ts: Timestamp
    answer: Answer


class AnswerEvent(
    RootModel[Annotated[RetrievalDoneEvent | TokenEvent | FinalEvent, Field(discriminator="kind")]]
):
    """One line of `kebab ask --stream` on stderr."""

    model_config = ConfigDict(title="AnswerEvent v1", frozen=True)


class SearchEvent(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"hits", "ms", "error"})

    schema_version: Literal["search_event.v1"] = "search_event.v1"
    ts: Timestamp
    kind: Literal["started", "finished"]
    call_id: str
    source: Literal["corpus", "open", "list", "web", "fetch"]
    query: str
    hits: list[SearchHit] | None = None
    ms: int | None = None
    error: str | None = None
