"""A conversation of one caller: turns that lean on each other, kept in memory for a while."""

from __future__ import annotations

import secrets
import threading

from kebab_server.sessions import ServiceSessions


class Conversation:
    """`running` counts the asks that go on in it; `touched` is when the last one ended."""

    def __init__(self, owner: str, now: float) -> None:
        self.id = secrets.token_urlsafe(18)
        self.owner = owner
        self.turns = 0
        self.running = 0
        self.touched = now
        self._session_id: str | None = None
        self._lock = threading.Lock()

    def take_turn(self) -> int:
        turn = self.turns
        self.turns += 1
        return turn

    def session(self, sessions: ServiceSessions) -> str:
        """Its session's id, made when it is first asked for; from any thread."""
        with self._lock:
            if self._session_id is None:
                self._session_id = sessions.create("http")
            return self._session_id

    def forget(self, sessions: ServiceSessions) -> None:
        """Delete what was said in it."""
        with self._lock:
            session_id, self._session_id = self._session_id, None
        if session_id is not None:
            sessions.delete(session_id)
