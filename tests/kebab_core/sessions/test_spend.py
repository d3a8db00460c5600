"""The ledger's rows and sums."""

from __future__ import annotations

import sqlite3
from datetime import date, datetime, timedelta
from pathlib import Path

from kebab_core.sessions import MemorySessions, SqliteSessions
from kebab_core.sessions.schema import MIGRATIONS
from kebab_core.types import ModelCall
from kebab_core.wire.reports import SpendReport

NOON = datetime(2026, 5, 4, 12).astimezone()
DAY = date(2026, 5, 4)


def call(**fields: object) -> ModelCall:
    known: dict[str, object] = {
        "at": NOON,
        "role": "ask",
        "provider": "openai",
        "model": "m",
        "ms": 5,
        "prompt_tokens": 10,
        "completion_tokens": 2,
        "usd": 0.5,
        "usd_source": "table",
    }
    return ModelCall(**(known | fields))  # type: ignore[arg-type]


UNKNOWN = call(prompt_tokens=0, completion_tokens=0, usd=None, usd_source="none")


def test_calls_are_summed_by_day_role_and_model() -> None:
    sessions = MemorySessions()
    sessions.record_spend([call(), call(usd=0.25), call(role="followups"), call(model="other")])
    sessions.record_spend([call(at=NOON + timedelta(days=1))])
    report = sessions.spend(DAY, DAY)
    assert [(row.role, row.model, row.calls, row.usd) for row in report.rows] == [
        ("ask", "m", 2, 0.75),
        ("ask", "other", 1, 0.5),
        ("followups", "m", 1, 0.5),
    ]
    first = report.rows[0]
    assert (first.day, first.prompt_tokens, first.completion_tokens) == ("2026-05-04", 20, 4)
    assert report.total_usd == 1.75
    assert len(sessions.spend(DAY, DAY + timedelta(days=1)).rows) == 4


def test_an_unknown_price_stays_unknown_and_hides_no_known_one() -> None:
    sessions = MemorySessions()
    sessions.record_spend([call(), UNKNOWN])
    report = sessions.spend(DAY, DAY)
    assert [(row.usd_source, row.usd, row.calls) for row in report.rows] == [
        ("none", None, 1),
        ("table", 0.5, 1),
    ]
    assert report.total_usd is None
    assert SpendReport.model_validate_json(report.to_line()) == report


def test_nothing_spent_is_zero() -> None:
    report = MemorySessions().spend(DAY, DAY)
    assert (report.from_, report.to, report.rows, report.total_usd) == (
        "2026-05-04",
        "2026-05-04",
        [],
        0.0,
    )


def test_no_calls_write_nothing(tmp_path: Path) -> None:
    path = tmp_path / "workspace" / "sessions.sqlite3"
    SqliteSessions(path).record_spend([])
    assert not path.exists()


def test_a_database_from_before_the_ledger_gets_one(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    with sqlite3.connect(path) as old:
        old.execute("CREATE TABLE schema_version (version INTEGER PRIMARY KEY)")
        for statement in MIGRATIONS[0]:
            old.execute(statement)
        old.execute("INSERT INTO schema_version VALUES (1)")
        old.execute("INSERT INTO sessions VALUES ('s', 'Leave', 'chat', 0, '2026', '2026')")
    old.close()
    sessions = SqliteSessions(path)
    sessions.record_spend([call()])
    assert sessions.spend(DAY, DAY).total_usd == 0.5
    assert [row["title"] for row in sqlite3_rows(path, "SELECT title FROM sessions")] == ["Leave"]
    sessions.close()


def sqlite3_rows(path: Path, query: str) -> list[sqlite3.Row]:
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    found = connection.execute(query).fetchall()
    connection.close()
    return found
