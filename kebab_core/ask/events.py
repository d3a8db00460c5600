"""What a run tells its reader, in order."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

from kebab_core.types import Hit, ToolName
from kebab_core.wire.answer import Answer
from kebab_core.wire.answer_event import (
    AnswerEvent,
    FinalEvent,
    RetrievalDoneEvent,
    SearchEvent,
    TokenEvent,
)
from kebab_core.wire.convert import search_hit


@dataclass(frozen=True, slots=True)
class RetrievalDone:
    """The passages the model is given, numbered from 1. Sent once, before the model is called."""

    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class ToolStarted:
    call_id: str
    tool: ToolName
    query: str


@dataclass(frozen=True, slots=True)
class ToolFinished:
    call_id: str
    tool: ToolName
    query: str
    hits: tuple[Hit, ...] = ()
    ms: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of prose. All deltas of an answer, joined, are its `answer`."""

    delta: str
    turn_index: int | None


@dataclass(frozen=True, slots=True)
class Final:
    answer: Answer


StreamEvent: TypeAlias = RetrievalDone | ToolStarted | ToolFinished | Token | Final


def answer_event(event: RetrievalDone | Token | Final, *, query: str = "") -> AnswerEvent:
    """The event as a line of `kebab ask --stream`. `query` centres the hits' snippets."""
    now = datetime.now(UTC)
    match event:
        case RetrievalDone(hits):
            found = [search_hit(hit, query) for hit in hits]
            return AnswerEvent(RetrievalDoneEvent(ts=now, hits=found))
        case Token(delta, turn_index):
            return AnswerEvent(TokenEvent(ts=now, delta=delta, turn_index=turn_index))
        case Final(answer):
            return AnswerEvent(FinalEvent(ts=now, answer=answer))


def search_event(event: ToolStarted | ToolFinished) -> SearchEvent:
    """Tool activity as a line of `--events all`."""
    now = datetime.now(UTC)
    match event:
        case ToolStarted(call_id, tool, query):
            return SearchEvent(ts=now, kind="started", call_id=call_id, source=tool, query=query)
        case ToolFinished():
            return SearchEvent(
                ts=now,
                kind="finished",
                call_id=event.call_id,
                source=event.tool,
                query=event.query,
                hits=[search_hit(hit, event.query) for hit in event.hits],
                ms=event.ms,
                error=event.error,
            )
