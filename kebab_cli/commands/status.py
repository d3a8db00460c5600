"""`kebab status`: what the corpus holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation
from kebab_cli.output import Output, dim, strong, warn

if TYPE_CHECKING:
    from kebab_core.api import SchemaReport

app = new_app()


@command(app)
def status(
    use: Invocation,
    json: Annotated[bool, typer.Option("--json", help="Print one schema.v1.")] = False,
) -> int:
    """Show what the corpus holds and which models it uses."""
    output = use.output
    output.machine = json
    report = use.knowledge_base.status()
    if json:
        output.result(report.to_line())
    else:
        _print_report(output, report, use)
    return 0


def _print_report(output: Output, report: SchemaReport, use: Invocation) -> None:
    from kebab_cli.table import ago, moment

    stats = report.stats
    workspace = use.configuration.workspace
    output.line(strong(f"Workspace {workspace.name}"), dim(f"  {workspace.directory}"))
    output.line(f"{stats.documents} documents · {stats.chunks} passages", _kinds(stats.by_media))
    if stats.last_ingest_at is not None:
        when = f"{moment(stats.last_ingest_at)} ({ago(stats.last_ingest_at)})"
        output.line(f"Last ingest {when} · revision {stats.corpus_revision}")
    if stats.stale:
        output.line(warn(f"{stats.stale} stale"), ": `kebab ingest` brings them up to date")
    if stats.failing:
        output.line(warn(f"{stats.failing} unreadable"), ": `kebab doctor` says why")
    for role, name in report.models.items():
        output.line(dim(f"{role} model: "), name or "not chosen yet")
    output.line(dim(f"kebab {report.kebab_version}"))
    if not stats.documents:
        output.note("Nothing here yet. Add documents with `kebab ingest PATH`.")


def _kinds(counts: dict[str, int]) -> str:
    most_first = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    named = ", ".join(f"{count} {name}" for name, count in most_first)
    return f" ({named})" if named else ""
