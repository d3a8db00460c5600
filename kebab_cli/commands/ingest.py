"""`kebab ingest`: make the corpus equal to what is on disk."""

from __future__ import annotations

import sys
from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from kebab_cli import ingesting
from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation

if TYPE_CHECKING:
    from kebab_cli.ingest_progress import Follower
    from kebab_core.api import GivenText, IngestReport

app = new_app()

STDIN = "-"


@command(app)
def ingest(
    use: Invocation,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Files, folders, addresses of web pages, - for stdin; none: every known source.",
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(
            "--title", metavar="T", help="Names the text from stdin; the same replaces it."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Read every file again, changed or not.")
    ] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Allow the removal of most of a source.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on: read what changes, until Ctrl-C.")
    ] = False,
    json: Annotated[
        bool,
        typer.Option("--json", help="ingest_progress.v1 on stderr, ingest_report.v1 on stdout."),
    ] = False,
) -> int:
    """Read documents into the corpus: new, changed and removed ones; the rest costs nothing.

    Paths given are remembered as sources. A web page is fetched now, and again only when its
    address is given again. Exits 2 when nothing could be read.
    """
    from kebab_core import api

    output = use.output
    output.machine = json
    if json:
        output.keep_stderr_clean()
    roots, texts = _given(use, paths or [], title)
    stop = Event()
    options = api.IngestOptions(force=force, dry_run=dry_run, prune=prune)
    if watch and (texts or dry_run):
        raise api.InvalidInput(
            f"`--watch` doesn't go with {'stdin' if texts else '`--dry-run`'}.", "Leave one out."
        )
    unread = output.stdout.closed or output.stderr.closed

    def cancelled() -> bool:
        return stop.is_set() or follower.failure is not None

    with (
        use.watch.guard(stop.set, closed=unread),
        ingesting.follower(use, json=json, again=watch) as follower,
    ):
        if watch:
            base = use.knowledge_base
            shown = _Shown(use, follower, json=json)
            base.watch(
                roots,
                options=options,
                on_event=follower.event,
                on_report=shown.report,
                cancelled=cancelled,
            )
        else:
            report = use.knowledge_base.ingest(
                roots,
                texts=texts,
                options=options,
                on_event=follower.event,
                cancelled=cancelled,
            )
    if follower.failure is not None:
        raise follower.failure
    if watch:
        return use.watch.exit_code or 0
    print_report(use, follower, report, json=json)
    return exit_code_of(use, report)


class _Shown:
    """The reports of `--watch`: the first one, then those of runs that did something."""

    def __init__(self, use: Invocation, follower: Follower, *, json: bool) -> None:
        self._use = use
        self._follower = follower
        self._json = json
        self._is_first = True

    def report(self, report: IngestReport) -> None:
        changed = report.new + report.updated + report.moved + report.removed + report.errors
        if self._json or self._is_first or changed:
            print_report(self._use, self._follower, report, json=self._json)
        if self._is_first and not report.aborted:
            self._use.output.note("Watching for changes. Ctrl-C ends it.")
        self._is_first = False


def print_report(use: Invocation, follower: Follower, report: IngestReport, *, json: bool) -> None:
    from kebab_cli.ingest_text import report_lines

    if json:
        use.output.result(report.to_line())
    else:
        for line in report_lines(report, follower.said, table=use.output.stdout.is_terminal):
            use.output.line(*line)


def _given(
    use: Invocation, paths: list[str], title: str | None
) -> tuple[list[str], list[GivenText]]:
    """The roots, and the text of stdin if `-` is among them."""
    from kebab_core import api

    roots = [path for path in paths if path != STDIN]
    if len(roots) == len(paths):
        if title is not None:
            raise api.InvalidInput(
                "`--title` names a text from stdin, and stdin isn't read.",
                "Read it with `kebab ingest - --title T`.",
            )
        return roots, []
    if title is None:
        raise api.InvalidInput(
            "A text from stdin needs a name.", "Give it one: `kebab ingest - --title T`."
        )
    limit = use.configuration.settings.ingest.max_file_bytes
    data = sys.stdin.buffer.read(limit + 1) if sys.stdin is not None else b""
    if len(data) > limit:
        raise api.InvalidInput(
            f"The text from stdin has more than ingest.max_file_bytes ({limit:,}).",
            "Give less of it, or raise the setting.",
        )
    if not data.strip():
        raise api.InvalidInput("Nothing came from stdin.", "Pipe a text into it.")
    return roots, [api.GivenText(title, data)]


def exit_code_of(use: Invocation, report: IngestReport) -> int:
    if use.watch.exit_code is not None:
        return use.watch.exit_code
    read = report.new + report.updated + report.unchanged + report.moved + report.removed
    return 2 if report.errors and not read else 0
