"""One question, asked in a thread, its events passed on as messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from kebab_core import api
from kebab_core.api import Internal, KebabError
from kebab_tui.clock import Clock
from kebab_tui.messages import (
    Failed,
    Finished,
    Retrieved,
    RunStarted,
    Said,
    StepFinished,
    StepStarted,
    Stopped,
    Wrote,
)
from kebab_tui.prose import Prose
from kebab_tui.turn import Request, TurnRecord

if TYPE_CHECKING:
    from kebab_core.api import Answer, AskOptions, AskRun, KnowledgeBase, StreamEvent

_KEEP_S = 5.0
"""How long a cancelled run may take to be stored before the screen goes on without it."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Callable once, in a thread. What it finds out goes out through `post`, in order."""

    base: KnowledgeBase
    turn: TurnRecord
    prose: Prose
    session_id: str | None
    clock: Clock
    post: Callable[[Message], object]
    model: str | None = None
    """Who answers, where the request doesn't say."""

    def __call__(self) -> None:
        try:
            end = self._ask()
        except KebabError as failure:
            end = Failed(self.turn, self._now(), api.Error.of(failure))
        except Exception as failure:  # noqa: BLE001 - a bug must end the turn, not the screen
            end = Failed(self.turn, self._now(), api.Error.of(unexpected(failure)))
        self.post(end)

    def _now(self) -> float:
        return self.clock.monotonic()

    def _ask(self) -> Message:
        turn, made = self.turn, None
        session_id = self.session_id or (made := self._new_session())
        try:
            run = self.base.ask(turn.question, ask_options(turn.request, session_id, self.model))
        except KebabError:
            if made is not None:
                self.base.sessions.delete(made)
            raise
        with run:
            self.post(RunStarted(turn, self._now(), run, session_id))
            return self._follow(run)

    def _new_session(self) -> str | None:
        """A session for its first question; None, and a word, where none can be written."""
        try:
            return self.base.sessions.create("chat")
        except KebabError as failure:
            self.post(Said(f"This conversation isn't kept: {failure.message}", is_problem=True))
            return None

    def _follow(self, run: AskRun) -> Message:
        for event in run:
            if isinstance(event, api.Final):
                return Finished(self.turn, self._now(), event.answer)
            self._pass_on(event)
        try:
            partial: Answer | None = run.result(_KEEP_S)
        except KebabError:
            partial = run.partial
        return Stopped(self.turn, self._now(), partial)

    def _pass_on(self, event: StreamEvent) -> None:
        turn, at = self.turn, self._now()
        match event:
            case api.RetrievalDone(hits):
                found = [api.search_hit(hit, turn.question) for hit in hits]
                self.post(Retrieved(turn, at, found))
            case api.ToolStarted():
                self.post(StepStarted(turn, at, event))
            case api.ToolFinished():
                found = [api.search_hit(hit, event.query or turn.question) for hit in event.hits]
                self.post(StepFinished(turn, at, event, found))
            case api.Token(delta):
                if self.prose.put(delta):
                    self.post(Wrote(turn, at))


def ask_options(request: Request, session_id: str | None, model: str | None = None) -> AskOptions:
    """`request` as the core is asked. Without a session nothing is kept."""
    return api.AskOptions(
        session_id=session_id,
        save=session_id is not None,
        origin="chat",
        web=request.web,
        chance=request.chance,
        model=request.model or model,
        followups=True,
        pinned=request.pinned,
        excluded=request.excluded,
        filters=request.scope.filters(),
    )


def unexpected(failure: Exception) -> KebabError:
    """A bug, in words. Its text may hold anything, so only its kind is told."""
    return Internal(
        f"Something broke inside kebab ({type(failure).__name__}).",
        "Run `kebab --debug` and ask again to see where.",
    )
