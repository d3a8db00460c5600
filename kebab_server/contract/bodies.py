"""Requests and replies. Requests refuse what they don't know."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from kebab_server.contract.events import Outcome, Stamp

Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8_000)]
ShortQuestion = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)
]
Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


class Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NewConversation(Request):
    """Nothing to say yet: an empty object, or no body at all."""


class NewAsk(Request):
    question: Question
    model: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = Field(
        default=None, description="provider:model, instead of the service's own."
    )
    effort: Effort | None = Field(default=None, description="Recorded in `done`.")
    context: bool = Field(default=True, description="false asks without the documents.")
    web: bool | None = Field(default=None, description="Search the web too.")


class NewSearch(Request):
    query: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8_000)]
    k: Annotated[int, Field(ge=1, le=100)] | None = None
    mode: Literal["lexical", "vector", "hybrid"] | None = None


class Said(Request):
    role: Literal["user", "assistant"]
    text: Annotated[str, StringConstraints(min_length=1, max_length=20_000)]


class NewAnswer(Request):
    """`POST /api/ask`."""

    question: ShortQuestion
    history: Annotated[list[Said], Field(max_length=8)] = []
    conversation_id: Annotated[str, StringConstraints(min_length=1, max_length=64)] | None = None


class Reply(BaseModel):
    model_config = ConfigDict(frozen=True)


class ConversationMade(Reply):
    conversation_id: str
    expires_at: Stamp


class TicketMade(Reply):
    ticket: str
    conversation_id: str
    turn: int = Field(ge=0)
    seq: Literal[0] = 0
    expires_at: Stamp


class TicketState(Reply):
    ticket: str
    conversation_id: str
    status: Literal["running", "finished"]
    seq: int = Field(ge=0)
    terminal: dict[str, Any] | None
    done: dict[str, Any] | None


class Cancelled(Reply):
    ticket: str
    outcome: Outcome = Field(description="How the run ended: `error` if this call ended it.")


class Health(Reply):
    status: Literal["ok"] = "ok"
    version: str


class PageSource(Reply):
    """A document that passages were found in."""

    ref: str
    permalink: str | None
    title: str
    folder: str
    heading: str | None
    status: str | None
    written_by: str | None
    uploaded_by: str | None
    snippet: str


class PageCitation(Reply):
    n: int
    ref: str
    permalink: str | None
    title: str
    heading: str | None
    place: str
    quote: str | None


class PageGap(Reply):
    reason: str
    suggested_title: str | None


class PageDone(Reply):
    answer: str
    grounded: bool = Field(description="true only where a citation was judged.")
    cited: list[PageCitation]
    followups: list[str]
    gap: PageGap | None
    model: str
    truncated: bool
    caveats: list[str] = []


class PageAnswer(PageDone):
    sources: list[PageSource]


class PageError(Reply):
    cause: str
    fix: str


class Starter(Reply):
    question: str
    ref: str | None


class StarterList(Reply):
    starters: list[Starter]
