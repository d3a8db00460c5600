"""The events of a ticket. Within version 1 only optional fields and new enum values are added."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, RootModel

CONTRACT_VERSION = "1"

Outcome: TypeAlias = Literal["answer", "abstention", "refusal", "error"]
RefusalKind: TypeAlias = Literal["access", "guard", "rate_limit"]
ErrorKind: TypeAlias = Literal["cancelled", "max_steps", "model", "transport", "internal"]
Phase: TypeAlias = Literal["grounding", "discovering", "querying", "reconciling"]
ToolName: TypeAlias = Literal[
    "corpus__search", "corpus__open", "corpus__list", "web__search", "web__fetch"
]
Stamp = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class Event(BaseModel):
    """What every event carries. `seq` is the SSE `id:`, `type` the SSE `event:`."""

    model_config = ConfigDict(frozen=True)

    seq: int = Field(ge=1, description="From 1, without gaps but for steps that were dropped.")
    ticket: str
    conversation_id: str
    ts: Stamp


class Accepted(Event):
    """First, before anything runs. No other event carries the question."""

    type: Literal["accepted"] = "accepted"
    question: str
    turn: int = Field(ge=0)
    contract_version: Literal["1"] = "1"


class Branch(Event):
    """Opened before the first step, closed after the last: one pair a run."""

    type: Literal["branch"] = "branch"
    branch_id: str
    state: Literal["opened", "closed"]
    role: Literal["supervisor"] = "supervisor"
    source: None = None


class Step(Event):
    """A tool call that is over. The only kind that may be dropped when a run has too many."""

    type: Literal["step"] = "step"
    branch_id: str
    tool: ToolName
    args: dict[str, Any] = Field(description="An argument that holds the question is null.")
    ms: int = Field(ge=0)
    is_error: bool


class Milestone(Event):
    """Where the run stands, for a person: the words are the client's."""

    type: Literal["milestone"] = "milestone"
    branch_id: str
    phase: Phase
    subject: str | None = Field(description="A document's title or heading.")
    source: str | None = None


class Path(BaseModel):
    speed: Literal["fast", "full"] = Field(description="`fast`: the first retrieval was enough.")
    detail: str


class Provenance(BaseModel):
    """One citation."""

    term: str = Field(description="The heading, else the title, of the cited passage.")
    statement: str = Field(description="The cited sentence, or where the passage stands.")
    source: str = Field(description="`path#L12-L34`, `path#page=13` or the web address.")
    kind: str
    marker: str | None = None
    ref: str | None = None
    line: int | None = None
    page: int | None = None


class TicketSource(BaseModel):
    """A cited document."""

    n: int
    kind: Literal["local", "web"]
    ref: str = Field(description="`kebab://source_id/doc_path#chunk_id`, or the web address.")
    permalink: str | None = Field(description="`/docs/{doc_id}`; null for the web.")
    title: str
    heading: str | None
    source: str


class Answered(Event):
    """Terminal: an answer from what was found."""

    type: Literal["answer"] = "answer"
    text: str
    path: Path
    result: Any = None
    headline: str | None = None
    provenance: list[Provenance]
    sources: list[TicketSource]
    tables: list[Any] = []
    sql: list[Any] = []
    caveats: list[str]
    divergence: None = None


class Abstention(Event):
    """Terminal: what may be read doesn't hold the answer."""

    type: Literal["abstention"] = "abstention"
    text: str
    searched_terms: list[str]


class Refusal(Event):
    """Terminal: not allowed."""

    type: Literal["refusal"] = "refusal"
    what: RefusalKind
    source: str | None = None
    detail: str


class Failure(Event):
    """Terminal: it went wrong, or was cancelled."""

    type: Literal["error"] = "error"
    kind: ErrorKind
    detail: str


class Done(Event):
    """Always last, exactly once."""

    type: Literal["done"] = "done"
    outcome: Outcome
    hops: int = Field(ge=1, description="Model calls.")
    steps: int = Field(ge=0, description="Tool calls made, dropped ones too.")
    tokens_in: int = Field(ge=0)
    tokens_out: int = Field(ge=0)
    cache_read_tokens: int = Field(ge=0)
    cache_write_tokens: int = Field(ge=0)
    ms: int = Field(ge=0)
    model: str
    effort: str | None


AnyEvent: TypeAlias = (
    Accepted | Branch | Step | Milestone | Answered | Abstention | Refusal | Failure | Done
)


class TicketEvent(RootModel[Annotated[AnyEvent, Field(discriminator="type")]]):
    """One event of `GET /v1/asks/{ticket}/events`."""

    model_config = ConfigDict(frozen=True)


TERMINAL: frozenset[str] = frozenset({"answer", "abstention", "refusal", "error"})
