"""The ledger: what each model call took, by day, role and model. It holds no text of anybody."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import date

from kebab_core.sessions import rows
from kebab_core.types import ModelCall
from kebab_core.wire.reports import SpendReport, SpendRow

# Calls whose cost is known and calls whose cost isn't are never added up in one row.
_SUMS = """
    SELECT day, role, provider, model, usd_source, count(*) AS calls,
        sum(prompt_tokens) AS prompt_tokens, sum(completion_tokens) AS completion_tokens,
        sum(usd) AS usd
    FROM spend WHERE day BETWEEN ? AND ?
    GROUP BY day, role, provider, model, usd_source
    ORDER BY day, role, provider, model, usd_source
"""


def write(connection: sqlite3.Connection, calls: Iterable[ModelCall]) -> None:
    """A row a call. Its day is the day where this machine is, as people count their money."""
    connection.executemany(
        "INSERT INTO spend (ts, day, role, provider, model, prompt_tokens, completion_tokens, ms, "
        "usd, usd_source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                rows.stamp(call.at),
                call.at.astimezone().date().isoformat(),
                call.role,
                call.provider,
                call.model,
                call.prompt_tokens,
                call.completion_tokens,
                call.ms,
                call.usd,
                call.usd_source,
            )
            for call in calls
        ],
    )


def report(connection: sqlite3.Connection, from_day: date, to_day: date) -> SpendReport:
    """Sums of both days and those between. No total where any call's cost isn't known."""
    first, last = from_day.isoformat(), to_day.isoformat()
    found = [SpendRow(**dict(row)) for row in connection.execute(_SUMS, (first, last))]
    known = [row.usd for row in found if row.usd is not None]
    return SpendReport.model_validate(
        {
            "from": first,
            "to": last,
            "rows": found,
            "total_usd": sum(known) if len(known) == len(found) else None,
        }
    )
