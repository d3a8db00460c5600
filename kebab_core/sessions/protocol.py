"""What keeps conversations must be able to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Protocol, TypeAlias, runtime_checkable

from kebab_core.types import HistoryTurn, Hit, ModelCall, Origin, TurnState
from kebab_core.wire.answer import Answer
from kebab_core.wire.error import Error
from kebab_core.wire.reports import SpendReport
from kebab_core.wire.session import Session

# A method named `list` hides the type's name from the annotations after it.
Sessions: TypeAlias = list[Session]
History: TypeAlias = list[HistoryTurn]


@dataclass(frozen=True, slots=True)
class BegunTurn:
    """A turn that is running: its place is taken, nobody else gets its index."""

    session_id: str
    turn_index: int


@runtime_checkable
class SessionStore(Protocol):
    """Conversations. Safe to use from several threads, and by several processes at once.

    Where writing fails, methods raise IOFailed or PermissionDenied; a session that isn't there
    is NotFound; a database of a newer kebab is IndexIncompatible.
    """

    def create(self, origin: Origin, title: str | None = None) -> str:
        """A new, empty session's id. Without a title the first question gives it one."""

    def begin_turn(self, session_id: str | None, question: str, origin: Origin) -> BegunTurn:
        """Take the next turn of a session, in one transaction. None makes a one-off.

        Going on in a one-off makes a session of it.
        """

    def finish_turn(
        self,
        begun: BegunTurn,
        *,
        state: TurnState,
        answer: Answer | None,
        error: Error | None,
        hits: Sequence[Hit],
    ) -> None:
        """Keep how a turn ended, and the passages it was given as they were."""

    def discard_turn(self, begun: BegunTurn) -> None:
        """Forget a turn that came to nothing. Its session goes too if that was a one-off."""

    def history(self, session_id: str, before_turn: int) -> History:
        """Turns with an index below `before_turn`, oldest first, running ones left out."""

    def list(
        self, limit: int = 50, origin: Origin | None = None, one_offs: bool = False
    ) -> Sessions:
        """Sessions without their turns, the last used first."""

    def get(self, session_id: str) -> Session:
        """A session with all its turns and their evidence. Raises NotFound."""

    def delete(self, session_id: str) -> None:
        """Delete a session with all that was said in it. Raises NotFound."""

    def rename(self, session_id: str, title: str) -> None:
        """Raises NotFound, and InvalidInput for an empty title."""

    def search(self, text: str, limit: int = 50) -> Sessions:
        """Sessions whose title, questions or answers hold every word of `text`, case ignored."""

    def last(self) -> str | None:
        """The session a person used last, in the chat or on the command line."""

    def rate(self, session_id: str, turn_index: int, rating: int | None) -> None:
        """1 thumb up, -1 thumb down, None neither. Raises NotFound, InvalidInput."""

    def purge_one_offs(self, keep_days: int) -> int:
        """Delete ended one-off turns older than `keep_days`; returns how many."""

    def record_spend(self, calls: Sequence[ModelCall]) -> None:
        """Write what model calls took into the ledger, in one transaction."""

    def spend(self, from_day: date, to_day: date) -> SpendReport:
        """The ledger's sums from one day to another, both included."""

    def close(self) -> None:
        """Release what is held. Later calls open it again."""
