"""What is left of an answer whose run nobody can ask any more."""

from __future__ import annotations

from datetime import datetime

from kebab_core.wire.answer import Answer, AnswerRetrieval, AnswerUsage, ModelRef


def broken_off(
    prose: str, created_at: datetime, *, provider: str = "", caveats: tuple[str, ...] = ()
) -> Answer:
    """As a cancelled answer, of which nothing but its prose is known."""
    return Answer(
        answer=prose,
        grounded=False,
        grounding="none",
        refusal_reason="llm_stream_aborted",
        citations=[],
        model=ModelRef(id="", provider=provider),
        embedding=None,
        prompt_template_version="",
        retrieval=AnswerRetrieval(
            trace_id="",
            mode="hybrid",
            k=0,
            score_gate=0.0,
            top_score=None,
            chunks_returned=0,
            chunks_used=0,
            searches=0,
            research="none",
            limited=False,
        ),
        usage=AnswerUsage(
            prompt_tokens=0,
            completion_tokens=0,
            latency_ms=0,
            first_token_ms=None,
            usd=None,
            usd_source="none",
        ),
        finish_reason="cancelled",
        created_at=created_at,
        caveats=list(caveats),
    )
