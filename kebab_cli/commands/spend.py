"""`kebab spend`: what the chat models took."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation
from kebab_cli.output import Output, dim, strong, warn

if TYPE_CHECKING:
    from kebab_core.api import SpendReport

_DAY = {"formats": ["%Y-%m-%d"], "metavar": "YYYY-MM-DD"}

app = new_app()


@command(app)
def spend(
    use: Invocation,
    from_day: Annotated[
        datetime | None,
        typer.Option("--from", help="First day; 30 days up to the last one unless given.", **_DAY),
    ] = None,
    to_day: Annotated[
        datetime | None, typer.Option("--to", help="Last day; today unless given.", **_DAY)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one spend_report.v1.")] = False,
) -> int:
    """Show what the chat models took: calls, tokens and cost, by day, place and model.

    Questions asked with `--no-save` count too: no text of any question is in it. What `quote`
    answers costs nothing and isn't listed.
    """
    output = use.output
    output.machine = json
    report = use.knowledge_base.spend(
        from_day.date() if from_day else None, to_day.date() if to_day else None
    )
    if json:
        output.result(report.to_line())
    else:
        _print_report(output, report)
    return 0


def _print_report(output: Output, report: SpendReport) -> None:
    from kebab_cli.table import print_table

    if not report.rows:
        output.note(f"No model was called from {report.from_} to {report.to}.")
        return
    print_table(
        output,
        ("day", "for", "model", "calls", "tokens in", "tokens out", "US$", "price"),
        [
            (
                row.day,
                row.role,
                f"{row.provider}:{row.model}",
                row.calls,
                row.prompt_tokens,
                row.completion_tokens,
                "unknown" if row.usd is None else _dollars(row.usd),
                row.usd_source,
            )
            for row in report.rows
        ],
    )
    known = sum(row.usd for row in report.rows if row.usd is not None)
    unknown = sum(row.calls for row in report.rows if row.usd is None)
    output.note(strong(f"US$ {_dollars(known)}"), dim(f"  {report.from_} to {report.to}"))
    if unknown:
        calls = "1 call has" if unknown == 1 else f"{unknown} calls have"
        output.note(warn(f"{calls} no known price: not in that sum."))


def _dollars(usd: float) -> str:
    """Two decimals, and for the cents of single calls as many as show them."""
    return f"{usd:.2f}" if usd >= 1 or usd == 0 else f"{usd:.6f}"
