"""What the service remembers of conversations: in memory alone, but for what models cost."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from datetime import date

from kebab_core import api


class ServiceSessions(api.MemorySessions):
    """Conversations that leave no trace on a disk. `ledger` keeps what model calls took.

    A conversation can begin with turns that its client remembers.
    """

    def __init__(self, ledger: api.SessionStore) -> None:
        super().__init__()
        self._ledger = ledger
        self._told: dict[str, list[api.HistoryTurn]] = {}
        self._told_lock = threading.Lock()

    def create_after(self, earlier: Sequence[api.HistoryTurn]) -> str:
        """A new session whose model sees `earlier` before its own turns."""
        session_id = self.create("http")
        with self._told_lock:
            self._told[session_id] = list(earlier)
        return session_id

    def history(self, session_id: str, before_turn: int) -> list[api.HistoryTurn]:
        own = super().history(session_id, before_turn)
        with self._told_lock:
            return [*self._told.get(session_id, ()), *own]

    def delete(self, session_id: str) -> None:
        with self._told_lock:
            self._told.pop(session_id, None)
        super().delete(session_id)

    def record_spend(self, calls: Sequence[api.ModelCall]) -> None:
        self._ledger.record_spend(calls)

    def spend(self, from_day: date, to_day: date) -> api.SpendReport:
        return self._ledger.spend(from_day, to_day)

    def close(self) -> None:
        super().close()
        self._ledger.close()
