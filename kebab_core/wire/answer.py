"""`answer.v1`: what an ask comes to, an abstention included."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kebab_core.wire.base import Timestamp, WireModel
from kebab_core.wire.citation import Citation

Grounding = Literal["cited", "uncited", "none"]
RefusalReason = Literal[
    "no_chunks",
    "score_gate",
    "llm_self_judge",
    "llm_stream_aborted",
    "max_rounds",
    "access",
    "guard",
]


class AnswerCitation(WireModel):
    marker: str | None = Field(description="`[1]` as it stands in the prose.")
    citation: Citation
    quote: str | None = Field(
        default=None, description="The passage's sentence that supports the claim."
    )


class ModelRef(WireModel):
    id: str
    provider: str


class EmbeddingRef(WireModel):
    id: str
    provider: str
    dimensions: int


class AnswerRetrieval(WireModel):
    trace_id: str
    mode: Literal["lexical", "vector", "hybrid"]
    k: int
    score_gate: float = Field(description="The bar, on the scale of `relevance`.")
    top_score: float | None = Field(description="The best `relevance` of the pack.")
    chunks_returned: int
    chunks_used: int
    searches: int
    research: Literal["none", "skipped", "ran"]
    limited: bool = Field(description="A search channel did not run.")


class AnswerUsage(WireModel):
    prompt_tokens: int
    completion_tokens: int
    latency_ms: int
    first_token_ms: int | None
    usd: float | None
    usd_source: Literal["reported", "table", "none"]


class AnswerSource(WireModel):
    n: int
    kind: Literal["local", "web"]
    source: str = Field(description="`path#L12-L34`, `path#page=13`, `path#slide=3`, … or the URL.")
    title: str
    score: float = Field(description="`relevance`; 0.0 for web.")


class Gap(WireModel):
    reason: str = Field(description="`not-covered`, `search-limited`; read others as the first.")
    suggested_title: str | None = None


class Suggestion(WireModel):
    """A next step after an abstention, with the command that takes it."""

    action: Literal["ingest", "rephrase", "chance", "web", "model"]
    text: str
    command: str | None = None


class Answer(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"conversation_id", "turn_index"})

    schema_version: Literal["answer.v1"] = "answer.v1"
    answer: str = Field(description="Prose with `[n]` markers; a human sentence when abstaining.")
    grounded: bool
    grounding: Grounding
    refusal_reason: RefusalReason | None
    citations: list[AnswerCitation]
    model: ModelRef
    embedding: EmbeddingRef | None
    prompt_template_version: str
    retrieval: AnswerRetrieval
    usage: AnswerUsage
    finish_reason: Literal["stop", "length", "cancelled", "error"]
    created_at: Timestamp
    not_found: bool = False
    conversation_id: str | None = None
    turn_index: int | None = Field(default=None, ge=0)
    sources: list[AnswerSource] = Field(default=[], description="The cited passages.")
    retrieved: list[AnswerSource] = Field(default=[], description="The top three by score.")
    followups: list[str] = []
    gap: Gap | None = None
    truncated: bool = False
    caveats: list[str] = []
    suggestions: list[Suggestion] = []
