"""`kebab ingest`: make the corpus equal to what is on disk."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation

if TYPE_CHECKING:
    from kebab_cli.ingest_progress import Follower
    from kebab_core.api import IngestReport

app = new_app()


@command(app)
def ingest(
    use: Invocation,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH", help="Files and folders; none: every known source."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Read every file again, changed or not.")
    ] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Allow the removal of most of a source.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")] = False,
    json: Annotated[
        bool,
        typer.Option("--json", help="ingest_progress.v1 on stderr, ingest_report.v1 on stdout."),
    ] = False,
) -> int:
    """Read documents into the corpus: new, changed and removed ones; the rest costs nothing.

    Paths given are remembered as sources. Exits 2 when nothing could be read.
    """
    from kebab_cli.ingest_text import report_lines
    from kebab_core import api

    output = use.output
    output.machine = json
    if json:
        output.keep_stderr_clean()
    stop = Event()
    options = api.IngestOptions(force=force, dry_run=dry_run, prune=prune)
    unread = output.stdout.closed or output.stderr.closed
    with use.watch.guard(stop.set, closed=unread), _follower(use, json=json) as follower:
        report = use.knowledge_base.ingest(
            paths or (),
            options=options,
            on_event=follower.event,
            cancelled=lambda: stop.is_set() or follower.failure is not None,
        )
    if follower.failure is not None:
        raise follower.failure
    if json:
        output.result(report.to_line())
    else:
        for line in report_lines(report, follower.said):
            output.line(*line)
    return _exit_code(use, report)


def _exit_code(use: Invocation, report: IngestReport) -> int:
    if use.watch.exit_code is not None:
        return use.watch.exit_code
    read = report.new + report.updated + report.unchanged + report.moved + report.removed
    return 2 if report.errors and not read else 0


def _follower(use: Invocation, *, json: bool) -> Follower:
    from kebab_cli import ingest_progress

    if json:
        return ingest_progress.Lines(use.output)
    if use.output.live and not use.output.quiet:
        return ingest_progress.Bar(use.output)
    return ingest_progress.Follower(use.output)
