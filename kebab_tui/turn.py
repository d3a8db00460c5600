"""One question and what came of it, as the screen knows it. Changed only through its methods."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from kebab_tui.marks import MARKER, Marks
from kebab_tui.scope import EVERYTHING, Scope
from kebab_tui.words import count, one_line, seconds

if TYPE_CHECKING:
    from kebab_core.api import Answer, Error, SearchHit, ToolFinished, ToolStarted
    from kebab_core.api import Turn as StoredTurn


class Phase(Enum):
    """Where a turn stands. Waiting, searching and writing are alive; the rest are ends."""

    WAITING = "waiting"
    SEARCHING = "searching"
    WRITING = "writing"
    ANSWERED = "answered"
    ABSTAINED = "abstained"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def is_running(self) -> bool:
        return self in (Phase.SEARCHING, Phase.WRITING)


@dataclass(slots=True)
class Step:
    """One thing the run did: `what` it was, `about` what, `detail` once it ended."""

    what: str
    about: str = ""
    detail: str = ""
    state: str = "running"  # running, done, failed
    call_id: str = ""
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked, and how: what is needed to ask it once more."""

    question: str
    web: bool | None = None
    chance: bool = False
    model: str | None = None
    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    scope: Scope = EVERYTHING

    @property
    def typed(self) -> str:
        """The question as it is typed, with its scope."""
        return f"{self.scope.typed} {self.question}" if self.scope else self.question


@dataclass(slots=True, eq=False)
class TurnRecord:
    """`hits` are in order of their number `n`; `started` and `ended` are monotonic seconds."""

    request: Request
    phase: Phase = Phase.WAITING
    steps: list[Step] = field(default_factory=list)
    hits: list[SearchHit] = field(default_factory=list)
    text: str = ""
    answer: Answer | None = None
    error: Error | None = None
    started: float = 0.0
    ended: float | None = None
    pieces: int = 0
    turn_index: int | None = None
    rating: int | None = None
    folded: bool = False
    marks: Marks = field(default_factory=Marks)
    pinned: set[str] = field(init=False)
    left_out: set[str] = field(init=False)
    """Ids of passages, for the next time that this is asked."""

    def __post_init__(self) -> None:
        self.pinned = set(self.request.pinned)
        self.left_out = set(self.request.excluded)

    @property
    def question(self) -> str:
        return self.request.question

    @property
    def cited(self) -> set[int]:
        """Numbers of the passages the prose rests on, so far."""
        if self.answer is None:
            return self.marks.cited
        markers = (MARKER.fullmatch(one.marker or "") for one in self.answer.citations)
        return {int(match.group(1)) for match in markers if match}

    @property
    def lacks_something(self) -> bool:
        """Nothing was found, or the answer named what the documents don't cover."""
        gap = self.answer.gap if self.answer is not None else None
        return self.phase is Phase.ABSTAINED or (gap is not None and gap.reason != "search-limited")

    @property
    def again(self) -> Request:
        """The question once more, with the passages that were pinned and left out since."""
        return replace(
            self.request,
            chance=False,
            model=None,
            pinned=tuple(sorted(self.pinned)),
            excluded=tuple(sorted(self.left_out)),
        )

    def pin(self, chunk_id: str) -> None:
        """Give this passage in any case, or no longer so."""
        self.left_out.discard(chunk_id)
        self.pinned ^= {chunk_id}

    def leave_out(self, chunk_id: str) -> None:
        """Never give this passage, or give it again."""
        self.pinned.discard(chunk_id)
        self.left_out ^= {chunk_id}

    def hit(self, number: int) -> SearchHit | None:
        return next((hit for hit in self.hits if hit.n == number), None)

    # --- what happens to it --------------------------------------------------------------

    def start(self, at: float) -> None:
        self.phase = Phase.SEARCHING
        self.started = at
        self.steps = [Step("search", f"“{one_line(self.question)}”", since=at)]

    def retrieved(self, hits: list[SearchHit], at: float) -> None:
        """The first search is through: its passages, and the writing begins."""
        self._add(hits)
        first = self.steps[0]
        first.state = "done"
        first.detail = f"{count(len(hits), 'passage')}, {seconds(at - first.since)}"
        self.steps.append(Step("write", since=at))
        self.phase = Phase.WRITING

    def tool_started(self, event: ToolStarted, at: float) -> None:
        self._end_writing()
        what = _TOOL_WORDS.get(event.tool, event.tool)
        about = one_line(event.query)
        if event.tool in ("corpus", "web"):
            about = f"“{about}”"
        self.steps.append(Step(what, about, call_id=event.call_id, since=at))
        self.phase = Phase.SEARCHING

    def tool_finished(self, event: ToolFinished, hits: list[SearchHit], at: float) -> None:
        self._add(hits)
        for step in self.steps:
            if step.call_id == event.call_id and step.state == "running":
                step.state = "failed" if event.error else "done"
                step.detail = one_line(event.error or _found(event, hits))
        if not any(step.state == "running" for step in self.steps):
            self.steps.append(Step("write", since=at))
            self.phase = Phase.WRITING

    def wrote(self, text: str, pieces: int) -> set[int]:
        """More prose; the passages it cites for the first time."""
        self.text += text
        self.pieces += pieces
        return self.marks.read(text)

    def finished(self, answer: Answer, at: float) -> None:
        self.answer = answer
        self.turn_index = answer.turn_index
        self._close(Phase.ABSTAINED if is_abstention(answer) else Phase.ANSWERED, at)

    def stopped(self, partial: Answer | None, at: float) -> None:
        """Cancelled; `partial` is what is kept of it."""
        if partial is not None:
            self.answer = partial
            self.turn_index = partial.turn_index
        self._close(Phase.STOPPED, at)

    def failed(self, error: Error, at: float) -> None:
        self.error = error
        running = [step for step in self.steps if step.state == "running"]
        for step in running:
            step.state = "failed"
            if step.what == "write":
                step.detail = f"stopped after {count(self.pieces, 'token')}"
        self._close(Phase.FAILED, at)

    def _close(self, phase: Phase, at: float) -> None:
        self.phase = phase
        self.ended = at
        self._end_writing()
        for step in self.steps:
            if step.state == "running":
                step.state = "failed" if phase is Phase.STOPPED else "done"
        self.folded = phase in (Phase.ANSWERED, Phase.STOPPED)

    def _end_writing(self) -> None:
        """A writing step is drawn only while it lasts, or where it failed."""
        self.steps = [s for s in self.steps if s.what != "write" or s.state == "failed"]

    def _add(self, hits: list[SearchHit]) -> None:
        """A passage keeps its number; a page read in full replaces its short form."""
        by_number = {hit.n: hit for hit in self.hits}
        by_number.update({hit.n: hit for hit in hits})
        self.hits = sorted(by_number.values(), key=lambda hit: hit.n or hit.rank)

    def took(self, now: float) -> float:
        """Seconds from its start to its end, or to `now`."""
        return (now if self.ended is None else self.ended) - self.started


_TOOL_WORDS = {
    "corpus": "search",
    "open": "read",
    "list": "list",
    "web": "web",
    "fetch": "fetch",
}


def _found(event: ToolFinished, hits: list[SearchHit]) -> str:
    if event.tool == "list":
        return seconds(event.ms / 1000)
    return f"{count(len(hits), 'passage')}, {seconds(event.ms / 1000)}"


def is_abstention(answer: Answer) -> bool:
    """Nothing was found, as opposed to an answer or one from general knowledge."""
    return answer.not_found or (answer.grounding == "none" and answer.refusal_reason is not None)


def restore(stored: StoredTurn) -> TurnRecord:
    """A turn of an earlier session, its evidence as it was."""
    answer = stored.answer
    phases = {
        "answered": Phase.ANSWERED,
        "abstained": Phase.ABSTAINED,
        "failed": Phase.FAILED,
    }
    record = TurnRecord(
        Request(stored.question),
        phase=phases.get(stored.state, Phase.STOPPED),
        hits=[one.hit.model_copy(update={"n": one.n}) for one in stored.evidence],
        text=answer.answer if answer is not None else "",
        answer=answer,
        error=stored.error,
        ended=answer.usage.latency_ms / 1000 if answer is not None else 0.0,
        turn_index=stored.turn_index,
        rating=stored.rating,
        folded=True,
    )
    if record.hits:
        found = count(len(record.hits), "passage")
        record.steps = [Step("search", f"“{one_line(stored.question)}”", found, "done")]
    return record
