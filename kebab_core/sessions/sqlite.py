"""Conversations in SQLite."""

from __future__ import annotations

import secrets
import sqlite3
import unicodedata
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from kebab_core.errors import InvalidInput, NotFound
from kebab_core.sessions import rows, spend
from kebab_core.sessions.database import Database
from kebab_core.sessions.protocol import BegunTurn, History, Sessions
from kebab_core.sessions.recovery import close_abandoned, has_running
from kebab_core.sessions.runner import this_process
from kebab_core.text.clean import for_display
from kebab_core.types import HistoryTurn, Hit, ModelCall, Origin, TurnState
from kebab_core.wire.answer import Answer
from kebab_core.wire.error import Error
from kebab_core.wire.reports import SpendReport
from kebab_core.wire.session import Session

_WITH_COUNT = """
    SELECT s.*, (SELECT count(*) FROM turns t WHERE t.session_id = s.session_id) AS turn_count
    FROM sessions s
"""
_LISTED = f"""
    {_WITH_COUNT} WHERE (? OR s.one_off = 0) AND (? IS NULL OR s.origin = ?)
    ORDER BY s.updated_at DESC, s.rowid DESC LIMIT ?
"""
_ONE = f"{_WITH_COUNT} WHERE s.session_id = ?"
_LAST_OF_A_PERSON = """
    SELECT session_id FROM sessions WHERE one_off = 0 AND origin IN ('chat', 'cli')
    ORDER BY updated_at DESC, rowid DESC LIMIT 1
"""
_ALL_SAID = """
    SELECT s.*, count(t.turn_index) AS turn_count,
        group_concat(t.question || char(10) || t.prose, char(10)) AS said
    FROM sessions s LEFT JOIN turns t ON t.session_id = s.session_id
    WHERE s.one_off = 0 GROUP BY s.session_id ORDER BY s.updated_at DESC, s.rowid DESC
"""


class SqliteSessions:
    """A `SessionStore` in one file. Opening it costs nothing until it is first used."""

    def __init__(self, path: Path | None) -> None:
        """`path` None keeps everything in memory, never on a disk."""
        self._database = Database(path, needs_care=has_running, on_open=close_abandoned)

    def close(self) -> None:
        self._database.close()

    # --- turns ---------------------------------------------------------------------------

    def create(self, origin: Origin, title: str | None = None) -> str:
        with self._database.writing() as connection:
            return _insert(connection, origin, rows.one_line(title or ""), one_off=False)

    def begin_turn(self, session_id: str | None, question: str, origin: Origin) -> BegunTurn:
        title = rows.one_line(question)
        with self._database.writing() as connection:
            if session_id is None:
                session_id = _insert(connection, origin, title, one_off=True)
            else:
                _must_exist(connection, session_id)
                connection.execute(
                    "UPDATE sessions SET one_off = 0, updated_at = ?, "
                    "title = CASE title WHEN '' THEN ? ELSE title END WHERE session_id = ?",
                    (rows.now(), title, session_id),
                )
            turn_index = connection.execute(
                "SELECT coalesce(max(turn_index) + 1, 0) FROM turns WHERE session_id = ?",
                (session_id,),
            ).fetchone()[0]
            connection.execute(
                "INSERT INTO turns (session_id, turn_index, question, state, runner, created_at) "
                "VALUES (?, ?, ?, 'running', ?, ?)",
                (session_id, turn_index, for_display(question), this_process(), rows.now()),
            )
        return BegunTurn(session_id, turn_index)

    def finish_turn(
        self,
        begun: BegunTurn,
        *,
        state: TurnState,
        answer: Answer | None,
        error: Error | None,
        hits: Sequence[Hit],
    ) -> None:
        key = (begun.session_id, begun.turn_index)
        with self._database.writing() as connection:
            found = connection.execute(
                "SELECT question FROM turns WHERE session_id = ? AND turn_index = ?", key
            ).fetchone()
            if found is None:
                raise NotFound(f"The session {begun.session_id} was deleted meanwhile.")
            connection.execute(
                "UPDATE turns SET state = ?, runner = NULL, prose = ?, answer = ?, error = ? "
                "WHERE session_id = ? AND turn_index = ?",
                (
                    state,
                    answer.answer if answer is not None else "",
                    answer.model_dump_json() if answer is not None else None,
                    error.model_dump_json() if error is not None else None,
                    *key,
                ),
            )
            connection.executemany(
                "INSERT OR REPLACE INTO evidence VALUES (?, ?, ?, ?, ?)",
                [(*key, *row) for row in rows.evidence_rows(hits, found["question"])],
            )
            connection.execute(
                "UPDATE sessions SET updated_at = ? WHERE session_id = ?",
                (rows.now(), begun.session_id),
            )

    def discard_turn(self, begun: BegunTurn) -> None:
        with self._database.writing() as connection:
            connection.execute(
                "DELETE FROM turns WHERE session_id = ? AND turn_index = ?",
                (begun.session_id, begun.turn_index),
            )
            connection.execute(
                "DELETE FROM sessions WHERE session_id = ? AND one_off = 1", (begun.session_id,)
            )

    def rate(self, session_id: str, turn_index: int, rating: int | None) -> None:
        if rating not in (None, 1, -1):
            raise InvalidInput(f"A rating is 1, -1 or none, not {rating}.")
        with self._database.writing() as connection:
            changed = connection.execute(
                "UPDATE turns SET rating = ? WHERE session_id = ? AND turn_index = ?",
                (rating, session_id, turn_index),
            )
            if not changed.rowcount:
                raise NotFound(f"There is no turn {turn_index} in a session {session_id!r}.")

    # --- reading -------------------------------------------------------------------------

    def history(self, session_id: str, before_turn: int) -> History:
        with self._database.reading() as connection:
            _must_exist(connection, session_id)
            found = connection.execute(
                "SELECT question, prose, state FROM turns WHERE session_id = ? "
                "AND turn_index < ? AND state <> 'running' ORDER BY turn_index",
                (session_id, before_turn),
            ).fetchall()
        return [
            HistoryTurn(
                question=row["question"],
                answer=row["prose"] if row["state"] == "answered" else None,
                state=row["state"],
            )
            for row in found
        ]

    def list(
        self, limit: int = 50, origin: Origin | None = None, one_offs: bool = False
    ) -> Sessions:
        with self._database.reading() as connection:
            found = connection.execute(_LISTED, (one_offs, origin, origin, limit)).fetchall()
        return [rows.session(row) for row in found]

    def get(self, session_id: str) -> Session:
        with self._database.reading() as connection:
            _must_exist(connection, session_id)
            row = connection.execute(_ONE, (session_id,)).fetchone()
            turns = connection.execute(
                "SELECT * FROM turns WHERE session_id = ? ORDER BY turn_index", (session_id,)
            ).fetchall()
            passages = connection.execute(
                "SELECT * FROM evidence WHERE session_id = ? ORDER BY turn_index, n", (session_id,)
            ).fetchall()
        return rows.session(
            row,
            [
                rows.turn(
                    turn,
                    [
                        rows.evidence(item)
                        for item in passages
                        if item["turn_index"] == turn["turn_index"]
                    ],
                )
                for turn in turns
            ],
        )

    def search(self, text: str, limit: int = 50) -> Sessions:
        words = _folded(text).split()
        with self._database.reading() as connection:
            found = connection.execute(_ALL_SAID)
            matching = []
            for row in found:
                held = _folded(f"{row['title']}\n{row['said'] or ''}")
                if all(word in held for word in words):
                    matching.append(rows.session(row))
                    if len(matching) == limit:
                        break
        return matching

    def last(self) -> str | None:
        with self._database.reading() as connection:
            found = connection.execute(_LAST_OF_A_PERSON).fetchone()
        return None if found is None else str(found["session_id"])

    # --- spend ---------------------------------------------------------------------------

    def record_spend(self, calls: Sequence[ModelCall]) -> None:
        if calls:
            with self._database.writing() as connection:
                spend.write(connection, calls)

    def spend(self, from_day: date, to_day: date) -> SpendReport:
        with self._database.reading() as connection:
            return spend.report(connection, from_day, to_day)

    # --- keeping order -------------------------------------------------------------------

    def delete(self, session_id: str) -> None:
        with self._database.writing() as connection:
            _must_exist(connection, session_id)
            connection.execute("DELETE FROM sessions WHERE session_id = ?", (session_id,))

    def rename(self, session_id: str, title: str) -> None:
        shown = rows.one_line(title)
        if not shown:
            raise InvalidInput("A session's title can't be empty.")
        with self._database.writing() as connection:
            _must_exist(connection, session_id)
            connection.execute(
                "UPDATE sessions SET title = ? WHERE session_id = ?", (shown, session_id)
            )

    def purge_one_offs(self, keep_days: int) -> int:
        oldest = rows.stamp(datetime.now(UTC) - timedelta(days=keep_days))
        with self._database.writing() as connection:
            return connection.execute(
                "DELETE FROM sessions WHERE one_off = 1 AND updated_at < ? AND NOT EXISTS "
                "(SELECT 1 FROM turns t WHERE t.session_id = sessions.session_id "
                "AND t.state = 'running')",
                (oldest,),
            ).rowcount


def _insert(connection: sqlite3.Connection, origin: Origin, title: str, *, one_off: bool) -> str:
    session_id = secrets.token_hex(8)
    moment = rows.now()
    connection.execute(
        "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)",
        (session_id, title, origin, one_off, moment, moment),
    )
    return session_id


def _must_exist(connection: sqlite3.Connection, session_id: str) -> None:
    found = connection.execute(
        "SELECT 1 FROM sessions WHERE session_id = ?", (session_id,)
    ).fetchone()
    if found is None:
        raise NotFound(
            f"There is no session {session_id!r}.", "List them with `kebab sessions list`."
        )


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
