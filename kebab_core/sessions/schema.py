"""The tables, and how a database comes to have them."""

from __future__ import annotations

import sqlite3

from kebab_core.errors import IndexIncompatible

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE sessions (
            session_id TEXT PRIMARY KEY,
            title      TEXT NOT NULL DEFAULT '',
            origin     TEXT NOT NULL,
            one_off    INTEGER NOT NULL,
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL
        )
        """,
        "CREATE INDEX sessions_by_use ON sessions (one_off, updated_at)",
        # `runner` names the process that writes the turn, while it is running.
        # `prose` is the answer's text once more, for searching.
        """
        CREATE TABLE turns (
            session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
            turn_index INTEGER NOT NULL,
            question   TEXT NOT NULL,
            state      TEXT NOT NULL,
            runner     TEXT,
            prose      TEXT NOT NULL DEFAULT '',
            answer     TEXT,
            error      TEXT,
            rating     INTEGER,
            created_at TEXT NOT NULL,
            PRIMARY KEY (session_id, turn_index)
        ) WITHOUT ROWID
        """,
        "CREATE INDEX turns_running ON turns (state) WHERE state = 'running'",
        """
        CREATE TABLE evidence (
            session_id   TEXT NOT NULL,
            turn_index   INTEGER NOT NULL,
            n            INTEGER NOT NULL,
            content_hash TEXT NOT NULL,
            hit          TEXT NOT NULL,
            PRIMARY KEY (session_id, turn_index, n),
            FOREIGN KEY (session_id, turn_index) REFERENCES turns ON DELETE CASCADE
        )
        """,
    ),
    (
        # A row a model call. No text of any question: it is written for unkept questions too.
        """
        CREATE TABLE spend (
            ts                TEXT NOT NULL,
            day               TEXT NOT NULL,
            role              TEXT NOT NULL,
            provider          TEXT NOT NULL,
            model             TEXT NOT NULL,
            prompt_tokens     INTEGER NOT NULL,
            completion_tokens INTEGER NOT NULL,
            ms                INTEGER NOT NULL,
            usd               REAL,
            usd_source        TEXT NOT NULL
        )
        """,
        "CREATE INDEX spend_by_day ON spend (day)",
    ),
)
"""Statements that take a database from version i to i+1. Only ever appended to."""


def version(connection: sqlite3.Connection) -> int:
    """The schema's version, 0 for a new database."""
    known = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'"
    ).fetchone()
    if known is None:
        return 0
    found: int = connection.execute("SELECT max(version) FROM schema_version").fetchone()[0]
    return found


def check(found: int, path: str) -> None:
    """Raises IndexIncompatible for a database of a newer kebab: it isn't guessed at."""
    if found > len(MIGRATIONS):
        raise IndexIncompatible(
            f"The session history {path} has schema version {found}, made by a newer kebab; "
            f"this one reads up to {len(MIGRATIONS)}.",
            "Upgrade kebab, or use another workspace with `--workspace NAME`.",
        )


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database to the newest version, in one transaction that the caller opened."""
    found = version(connection)
    if found == 0:
        connection.execute(
            "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY)"
        )
    for number in range(found, len(MIGRATIONS)):
        for statement in MIGRATIONS[number]:
            connection.execute(statement)
        connection.execute("INSERT INTO schema_version VALUES (?)", (number + 1,))
