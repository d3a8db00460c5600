"""What is known about a run while it goes on: enough to make an Answer of it at any moment."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal

from kebab_core.types import SearchMode, Usage
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
    _prompt_tokens: int = 0
    _completion_tokens: int = 0
    _usd: float | None = 0.0
    _usd_source: UsdSource | None = None

    def elapsed_ms(self) -> int:
        return round((time.monotonic() - self.started) * 1000)

    def count_call(self, usage: Usage | None, usd: float | None, source: UsdSource) -> None:
        """Add one model call. A run costs nothing that is known if one of its calls doesn't."""
        if usage is not None:
            self._prompt_tokens += usage.prompt_tokens
            self._completion_tokens += usage.completion_tokens
        if usd is None or self._usd is None:
            self._usd, self._usd_source = None, "none"
        else:
            self._usd += usd
            # A sum is only as good as its worse part.
            self._usd_source = "table" if "table" in (source, self._usd_source) else source

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
        called = self._usd_source is not None
        return AnswerUsage(
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            latency_ms=self.elapsed_ms(),
            first_token_ms=self.first_token_ms,
            usd=self._usd if called else None,
            usd_source=self._usd_source or "none",
        )
