"""The session on the screen: its turns, the one that runs, the questions that wait."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kebab_tui.turn import Phase, Request, TurnRecord, restore
from kebab_tui.words import clip, one_line

if TYPE_CHECKING:
    from kebab_core.api import Session


@dataclass(slots=True)
class Conversation:
    """`session_id` is None until the first question is sent. At most one turn runs."""

    session_id: str | None = None
    name: str = ""
    turns: list[TurnRecord] = field(default_factory=list)
    running: TurnRecord | None = None
    waiting: deque[TurnRecord] = field(default_factory=deque)

    @classmethod
    def of(cls, session: Session) -> Conversation:
        """An earlier session, to go on with."""
        turns = [restore(turn) for turn in session.turns or []]
        return cls(session.session_id, one_line(session.title), turns)

    @property
    def title(self) -> str:
        if self.name:
            return self.name
        if self.turns:
            return clip(one_line(self.turns[0].question), 48)
        return "new session"

    @property
    def last(self) -> TurnRecord | None:
        """The newest turn that isn't waiting."""
        for turn in reversed(self.turns):
            if turn.phase is not Phase.WAITING:
                return turn
        return None

    @property
    def questions(self) -> list[str]:
        """What was asked, oldest first, nothing twice in a row."""
        asked: list[str] = []
        for turn in self.turns:
            if not asked or asked[-1] != turn.request.typed:
                asked.append(turn.request.typed)
        return asked

    def add(self, request: Request) -> TurnRecord:
        """A new turn at the end. It waits until `next` says that it may run."""
        turn = TurnRecord(request)
        self.turns.append(turn)
        self.waiting.append(turn)
        return turn

    def next(self, at: float) -> TurnRecord | None:
        """Start the first waiting turn unless one runs."""
        if self.running is not None or not self.waiting:
            return None
        turn = self.waiting.popleft()
        turn.start(at)
        self.running = turn
        return turn

    def end(self, turn: TurnRecord) -> None:
        if self.running is turn:
            self.running = None

    def take_back(self) -> TurnRecord | None:
        """The newest waiting question, taken out again; None if nothing waits."""
        if not self.waiting:
            return None
        turn = self.waiting.pop()
        self.turns.remove(turn)
        return turn
