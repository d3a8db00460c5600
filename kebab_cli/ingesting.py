"""One ingest, followed on the terminal or by a machine, and stopped when the command is told to."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from typing import TYPE_CHECKING

from kebab_cli.invocation import Invocation

if TYPE_CHECKING:
    from kebab_cli.ingest_progress import Follower
    from kebab_core.api import IngestOptions, IngestReport


def ingest_and_follow(
    use: Invocation, paths: Sequence[str], options: IngestOptions
) -> tuple[IngestReport, set[str]]:
    """The report, and the notices that were said meanwhile.

    Raises KebabError, and PipeClosed or WriteFailed where progress couldn't be written.
    """
    stop = Event()
    output = use.output
    unread = output.stdout.closed or output.stderr.closed
    with use.watch.guard(stop.set, closed=unread), follower(use) as following:
        report = use.knowledge_base.ingest(
            paths,
            options=options,
            on_event=following.event,
            cancelled=lambda: stop.is_set() or following.failure is not None,
        )
    if following.failure is not None:
        raise following.failure
    return report, following.said


def follower(use: Invocation, *, json: bool = False, again: bool = False) -> Follower:
    """Who shows the progress. `again`: of several runs, one after another."""
    from kebab_cli import ingest_progress

    if json:
        return ingest_progress.Lines(use.output)
    if use.output.live and not use.output.quiet:
        return ingest_progress.Bars(use.output) if again else ingest_progress.Bar(use.output)
    return ingest_progress.Follower(use.output)
