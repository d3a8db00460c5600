"""Conversations that leave no trace on a disk."""

from __future__ import annotations

from kebab_core.sessions.sqlite import SqliteSessions


class MemorySessions(SqliteSessions):
    """The same tables in memory: gone when it is closed."""

    def __init__(self) -> None:
        super().__init__(None)
