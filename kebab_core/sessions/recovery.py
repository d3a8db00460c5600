"""Turns left `running` by a process that died are closed when the database is opened next."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta

from kebab_core.sessions import rows
from kebab_core.sessions.runner import is_alive

# Whether another machine's process lives can't be seen; no answer takes so long.
_FOREIGN = timedelta(days=1)


def has_running(connection: sqlite3.Connection) -> bool:
    found = connection.execute("SELECT 1 FROM turns WHERE state = 'running' LIMIT 1").fetchone()
    return found is not None


def close_abandoned(connection: sqlite3.Connection) -> None:
    """Close them as cancelled, with `llm_stream_aborted`. A live process's turn isn't touched."""
    running = connection.execute(
        "SELECT session_id, turn_index, runner, created_at FROM turns WHERE state = 'running'"
    ).fetchall()
    for row in running:
        if _is_abandoned(row["runner"], row["created_at"]):
            connection.execute(
                "UPDATE turns SET state = 'cancelled', runner = NULL, answer = ? "
                "WHERE session_id = ? AND turn_index = ?",
                (
                    rows.aborted(row["created_at"]).model_dump_json(),
                    row["session_id"],
                    row["turn_index"],
                ),
            )


def _is_abandoned(runner: str | None, created_at: str) -> bool:
    alive = is_alive(runner)
    if alive is None:
        return datetime.now(UTC) - datetime.fromisoformat(created_at) > _FOREIGN
    return not alive
