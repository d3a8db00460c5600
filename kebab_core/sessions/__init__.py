"""Conversations and one-off turns: what was asked, what was answered, on which passages.

::

    sessions = SqliteSessions(workspace.sessions_db)
    begun = sessions.begin_turn(sessions.create("chat"), "How long is the notice?", "chat")
    sessions.finish_turn(begun, state="answered", answer=answer, error=None, hits=hits)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kebab_core.sessions.memory import MemorySessions as MemorySessions
    from kebab_core.sessions.protocol import BegunTurn as BegunTurn
    from kebab_core.sessions.protocol import SessionStore as SessionStore
    from kebab_core.sessions.sqlite import SqliteSessions as SqliteSessions

_WHERE = {
    "BegunTurn": "kebab_core.sessions.protocol",
    "MemorySessions": "kebab_core.sessions.memory",
    "SessionStore": "kebab_core.sessions.protocol",
    "SqliteSessions": "kebab_core.sessions.sqlite",
}

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"kebab_core.sessions has no {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return list(__all__)
