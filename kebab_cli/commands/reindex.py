"""`kebab reindex`: the whole corpus again, for another embedding model say."""

from __future__ import annotations

from threading import Event
from typing import Annotated

import typer

from kebab_cli import ingesting
from kebab_cli.command import command, new_app
from kebab_cli.commands.ingest import exit_code_of, print_report
from kebab_cli.invocation import Invocation

app = new_app()


@command(app)
def reindex(
    use: Invocation,
    prune: Annotated[
        bool, typer.Option("--prune", help="Let documents go that can't be read now.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")] = False,
    json: Annotated[
        bool,
        typer.Option("--json", help="ingest_progress.v1 on stderr, ingest_report.v1 on stdout."),
    ] = False,
) -> int:
    """Index everything again with the embedding model of the settings.

    The new index is made beside the old one, which is searched until the new one takes its place
    in one step. Stopped or killed, it goes on where it was when it is run again.
    """
    from kebab_core import api

    output = use.output
    output.machine = json
    if json:
        output.keep_stderr_clean()
    stop = Event()
    unread = output.stdout.closed or output.stderr.closed
    with (
        use.watch.guard(stop.set, closed=unread),
        ingesting.follower(use, json=json) as follower,
    ):
        report = use.knowledge_base.ingest(
            options=api.IngestOptions(anew=True, prune=prune, dry_run=dry_run),
            on_event=follower.event,
            cancelled=lambda: stop.is_set() or follower.failure is not None,
        )
    if follower.failure is not None:
        raise follower.failure
    print_report(use, follower, report, json=json)
    return exit_code_of(use, report)
