"""A run that follows a script."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from kebab_core.ask.events import (
    Final,
    RetrievalDone,
    StreamEvent,
    Token,
    ToolFinished,
    ToolStarted,
)
from kebab_core.errors import KebabError
from kebab_core.sessions import BegunTurn, SessionStore
from kebab_core.types import AskOptions, Hit, ModelChoice, TurnState
from kebab_core.wire.answer import (
    Answer,
    AnswerCitation,
    AnswerRetrieval,
    AnswerSource,
    AnswerUsage,
    Gap,
    Grounding,
    ModelRef,
    RefusalReason,
)
from kebab_core.wire.convert import citation
from kebab_core.wire.error import Error

BEFORE_HITS = -1
_PIECE = re.compile(r"\s*\S+\s*$|\s*\S+")
_MARKER = re.compile(r"\[(\d+)\]")


@dataclass
class Reply:
    """What one ask does. `hits` are numbered from 1, those of `tools` go on counting.

    `refusal` makes it an abstention, whose sentence is `prose`. `error` is raised after
    `tokens_before` pieces of prose (`BEFORE_HITS`: before the search is through). A `gate`
    holds the run there until it is set, or in the midst of tool `in_tool`.
    """

    hits: Sequence[Hit] = ()
    prose: str = ""
    tools: Sequence[ToolFinished] = ()
    refusal: RefusalReason | None = None
    grounding: Grounding | None = None
    error: KebabError | None = None
    gate: threading.Event | None = None
    tokens_before: int = 0
    in_tool: int | None = None
    search_s: float = 0.2
    write_s: float = 2.9
    tokens: int = 96
    followups: Sequence[str] = ()
    caveats: Sequence[str] = ()
    gap: Gap | None = None
    pieces: Sequence[str] | None = None
    """The prose as it is cut; None cuts it at words."""

    def cut(self) -> Sequence[str]:
        return self.pieces if self.pieces is not None else _PIECE.findall(self.prose)


class ScriptedRun:
    """Yields its reply's events in the thread that reads it. Keeps its turn in the sessions."""

    def __init__(
        self,
        question: str,
        options: AskOptions,
        reply: Reply,
        sessions: SessionStore,
        model: ModelChoice,
    ) -> None:
        self.id = f"run-{id(self):x}"
        self.question = question
        self.options = options
        self.pause: Callable[[float], None] = lambda seconds: None
        self._reply = reply
        self._sessions = sessions
        self._model = model
        self._cancelled = threading.Event()
        self._begun: BegunTurn | None = None
        self._session_id = options.session_id
        self._written = ""
        self._hits: list[Hit] = []
        self._answer: Answer | None = None
        self._failure: KebabError | None = None
        if options.save:
            if self._session_id is None and (options.new_session or options.origin == "chat"):
                self._session_id = sessions.create(options.origin)
            self._begun = sessions.begin_turn(self._session_id, question, options.origin)

    @property
    def partial(self) -> Answer | None:
        """What a cancelled run came to."""
        return self._answer

    @property
    def was_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[StreamEvent]:
        try:
            for event in self._events():
                if self._cancelled.is_set():
                    break
                yield event
        except KebabError as failure:
            self._failure = failure
            self._keep("failed", None, Error.of(failure))
            raise
        if self._answer is None and self._cancelled.is_set():
            self._answer = self._build("none", "llm_stream_aborted", "cancelled")
            self._keep("cancelled", self._answer, None)

    def cancel(self, reason: str = "cancelled") -> None:
        self._cancelled.set()

    def close(self) -> None:
        self._cancelled.set()

    def result(self, timeout: float | None = None) -> Answer:
        """The answer, or the partial one of a cancelled run; its failure is raised."""
        if self._failure is not None:
            raise self._failure
        if self._answer is None:
            for _ in self:
                continue
        if self._answer is None:
            raise RuntimeError("a scripted run ends with an answer, a failure or a cancel")
        return self._answer

    # --- the script ----------------------------------------------------------------------

    def _events(self) -> Iterator[StreamEvent]:
        reply = self._reply
        self._hits = [hit.numbered(n) for n, hit in enumerate(reply.hits, 1)]
        self._hold(BEFORE_HITS)
        if self._cancelled.is_set():
            return
        self.pause(reply.search_s)
        yield RetrievalDone(tuple(self._hits))
        for number, tool in enumerate(reply.tools):
            call_id = f"call-{number}"
            yield ToolStarted(call_id, tool.tool, tool.query)
            if number == reply.in_tool:
                self._wait()
            self.pause(tool.ms / 1000)
            found = [hit.numbered(len(self._hits) + n) for n, hit in enumerate(tool.hits, 1)]
            self._hits += found
            yield ToolFinished(call_id, tool.tool, tool.query, tuple(found), tool.ms, tool.error)
        if reply.refusal is not None:
            self._hold(0)
            self.pause(reply.write_s)
            yield self._final("none", reply.refusal, "abstained")
            return
        turn_index = self._begun.turn_index if self._begun is not None else None
        for number, piece in enumerate(reply.cut()):
            self._hold(number)
            if self._cancelled.is_set():
                return
            self._written += piece
            yield Token(piece, turn_index)
        self._hold(len(reply.cut()))
        if not self._cancelled.is_set():
            self.pause(reply.write_s)
            cites: Grounding = "cited" if _MARKER.search(self._written) else "uncited"
            wanted = reply.grounding or ("none" if self.options.chance else cites)
            yield self._final(wanted, None, "answered")

    def _hold(self, number: int) -> None:
        reply = self._reply
        if number != reply.tokens_before:
            return
        if reply.in_tool is None:
            self._wait()
        if reply.error is not None:
            raise reply.error

    def _wait(self) -> None:
        gate = self._reply.gate
        while gate is not None and not gate.wait(0.01) and not self._cancelled.is_set():
            continue

    def _final(
        self, grounding: Grounding, refusal: RefusalReason | None, state: TurnState
    ) -> Final:
        self._answer = self._build(grounding, refusal, "stop")
        self._keep(state, self._answer, None)
        return Final(self._answer)

    def _keep(self, state: TurnState, answer: Answer | None, error: Error | None) -> None:
        if self._begun is not None:
            self._sessions.finish_turn(
                self._begun, state=state, answer=answer, error=error, hits=self._hits
            )

    def _build(
        self, grounding: Grounding, refusal: RefusalReason | None, finish_reason: str
    ) -> Answer:
        reply = self._reply
        text = self._written or (reply.prose if refusal not in (None, "llm_stream_aborted") else "")
        cited = dict.fromkeys(int(number) for number in _MARKER.findall(self._written))
        by_number = {hit.n: hit for hit in self._hits}
        return Answer.model_validate(
            {
                "answer": text,
                "grounded": grounding != "none",
                "grounding": grounding,
                "refusal_reason": refusal,
                "citations": [
                    AnswerCitation(marker=f"[{n}]", citation=citation(by_number[n]))
                    for n in cited
                    if n in by_number
                ],
                "model": ModelRef(id=self._model.model, provider=self._model.provider),
                "embedding": None,
                "prompt_template_version": "1",
                "retrieval": AnswerRetrieval(
                    trace_id=self.id,
                    mode="hybrid",
                    k=8,
                    score_gate=0.55,
                    top_score=max((hit.relevance or 0 for hit in self._hits), default=None),
                    chunks_returned=len(self._hits),
                    chunks_used=len(self._hits),
                    searches=1 + sum(tool.tool == "corpus" for tool in reply.tools),
                    research="ran" if reply.tools else "none",
                    limited=False,
                ),
                "usage": AnswerUsage(
                    prompt_tokens=900,
                    completion_tokens=0 if refusal else reply.tokens,
                    latency_ms=round((reply.search_s + reply.write_s) * 1000),
                    first_token_ms=round(reply.search_s * 1000),
                    usd=None,
                    usd_source="none",
                ),
                "finish_reason": finish_reason,
                "created_at": self._hits[0].indexed_at if self._hits else "2026-03-02T09:30:00Z",
                "not_found": refusal is not None and refusal != "llm_stream_aborted",
                "conversation_id": self._session_id,
                "turn_index": self._begun.turn_index if self._begun is not None else None,
                "retrieved": [_source(hit) for hit in self._hits[:3]],
                "followups": list(reply.followups),
                "caveats": list(reply.caveats),
                "gap": reply.gap,
            }
        )


def _source(hit: Hit) -> AnswerSource:
    where = citation(hit)
    return AnswerSource(
        n=hit.n or hit.rank,
        kind=hit.kind,
        source=where.uri,
        title=hit.title,
        score=hit.relevance or 0.0,
    )
