"""What is known about a run while it goes on: enough to make an Answer of it at any moment."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal

from kebab_core.types import ModelCall, SearchMode
from kebab_core.wire.answer import AnswerRetrieval, AnswerUsage, EmbeddingRef, ModelRef

Research = Literal["none", "skipped", "ran"]
UsdSource = Literal["reported", "table", "none"]


@dataclass(slots=True)
class Record:
    """Written by the run's worker alone. Times are milliseconds since the run was asked for."""

    trace_id: str
    model: ModelRef
    mode: SearchMode
    k: int
    bar: float = 0.0
    top: float | None = None
    returned: int = 0
    searches: int = 0
    research: Research = "none"
    limited: bool = False
    embedding: EmbeddingRef | None = None
    caveats: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)
    first_token_ms: int | None = None
    role: str = "ask"
    calls: list[ModelCall] = field(default_factory=list)

    def elapsed_ms(self) -> int:
        return round((time.monotonic() - self.started) * 1000)

    def count_call(self, call: ModelCall) -> None:
        """Add one model call, however it ended."""
        self.calls.append(call)

    def caution(self, caveat: str) -> None:
        if caveat not in self.caveats:
            self.caveats.append(caveat)

    def retrieval(self, used: int) -> AnswerRetrieval:
        return AnswerRetrieval(
            trace_id=self.trace_id,
            mode=self.mode,
            k=self.k,
            score_gate=self.bar,
            top_score=self.top,
            chunks_returned=self.returned,
            chunks_used=used,
            searches=self.searches,
            research=self.research,
            limited=self.limited,
        )

    def usage(self) -> AnswerUsage:
        """A run costs nothing that is known if the cost of one of its calls isn't."""
        costs = [call.usd for call in self.calls if call.usd is not None]
        sources = {call.usd_source for call in self.calls}
        known = bool(self.calls) and len(costs) == len(self.calls)
        # A sum is only as good as its worse part.
        source: UsdSource = "table" if "table" in sources else "reported"
        return AnswerUsage(
            prompt_tokens=sum(call.prompt_tokens for call in self.calls),
            completion_tokens=sum(call.completion_tokens for call in self.calls),
            latency_ms=self.elapsed_ms(),
            first_token_ms=self.first_token_ms,
            usd=sum(costs) if known else None,
            usd_source=source if known else "none",
        )
