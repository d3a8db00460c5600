"""Answers, put together from what a run came to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from kebab_core.ask import abstain, citations
from kebab_core.ask.passages import Passages
from kebab_core.ask.prompts import PROMPT_VERSION
from kebab_core.ask.record import Record
from kebab_core.ask.stream.markers import Marker
from kebab_core.ask.tail import MAX_FOLLOWUPS, Tail
from kebab_core.types import AskOptions
from kebab_core.wire.answer import Answer, Gap

FROM_GENERAL_KNOWLEDGE = (
    "From general knowledge, not from your documents: nothing here was checked against them."
)


class Assembly:
    """Makes the one Answer of a run, whichever way it ends."""

    def __init__(
        self, question: str, options: AskOptions, record: Record, passages: Passages
    ) -> None:
        self._question = question
        self._options = options
        self._record = record
        self._passages = passages
        self.session_id: str | None = None
        self.turn_index: int | None = None

    def answered(
        self, prose: str, markers: Sequence[Marker], tail: Tail | None, *, was_cut: bool
    ) -> Answer:
        """Cited if the prose or the tail names passages that were given, else uncited."""
        cited, sources = citations.cite(prose, markers, tail, self._passages, self._question)
        return self._answer(
            prose,
            grounded=True,
            grounding="cited" if cited else "uncited",
            citations=cited,
            sources=sources,
            finish_reason="length" if was_cut else "stop",
            truncated=was_cut,
            followups=self._followups(tail),
            gap=_gap(tail, limited=self._record.limited),
        )

    def _followups(self, tail: Tail | None) -> list[str]:
        asked = self._question.strip().casefold()
        proposed = tail.followups if tail else ()
        return [question for question in proposed if question.casefold() != asked][:MAX_FOLLOWUPS]

    def ungrounded(self, prose: str, *, was_cut: bool) -> Answer:
        """From general knowledge."""
        self._record.caveats.insert(0, FROM_GENERAL_KNOWLEDGE)
        return self._answer(prose, finish_reason="length" if was_cut else "stop", truncated=was_cut)

    def abstained(self, reason: abstain.Reason, documents: int | None) -> Answer:
        """Not in the corpus: what was searched, the nearest passages, what to do next."""
        record = self._record
        return self._answer(
            abstain.sentence(
                reason,
                self._passages.hits,
                filters=self._options.filters,
                documents=documents,
                searches=record.searches,
                limited=record.limited,
                scored=self._options.scope.readers is None,
            ),
            refusal_reason=reason,
            not_found=True,
            suggestions=abstain.suggestions(
                self._question, self._options, provider=record.model.provider
            ),
        )

    def partial(self, prose: str, markers: Sequence[Marker], *, failed: bool) -> Answer:
        """As far as it came. What its markers name can be opened, but it counts as no answer."""
        cited, sources = citations.cite(prose, markers, None, self._passages, self._question)
        return self._answer(
            prose,
            refusal_reason="llm_stream_aborted",
            citations=cited,
            sources=sources,
            finish_reason="error" if failed else "cancelled",
        )

    def _answer(self, prose: str, **given: Any) -> Answer:
        record = self._record
        fields: dict[str, Any] = {
            "answer": prose,
            "grounded": False,
            "grounding": "none",
            "refusal_reason": None,
            "citations": [],
            "model": record.model,
            "embedding": record.embedding,
            "prompt_template_version": PROMPT_VERSION,
            "retrieval": record.retrieval(len(self._passages)),
            "usage": record.usage(),
            "finish_reason": "stop",
            "created_at": _now(),
            "conversation_id": self.session_id,
            "turn_index": self.turn_index,
            "retrieved": citations.nearest(self._passages.hits),
            "caveats": list(record.caveats),
        }
        return Answer.model_validate(fields | given)


def _now() -> datetime:
    """To the millisecond, as the wire has it: what is kept equals what was said."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def _gap(tail: Tail | None, *, limited: bool) -> Gap | None:
    if tail is None or tail.gap_reason is None:
        return None
    if limited:
        # What the search that didn't run would have found can't be called missing.
        return Gap(reason="search-limited")
    return Gap(reason=tail.gap_reason, suggested_title=tail.gap_title)
