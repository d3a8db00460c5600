"""How an ingest is followed: NDJSON for machines, a bar on a terminal, notices elsewhere.

A progress that can't be written any more never breaks into the ingest: it is remembered in
`failure`, and the ingest is asked to stop at its next safe point.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

from kebab_cli.output import Output, PipeClosed, WriteFailed
from kebab_cli.passages import one_line
from kebab_core import api

if TYPE_CHECKING:
    from rich.progress import Progress

    from kebab_core.api import IngestEvent


class Follower:
    """Says notices, once each; the base of the other two."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.failure: PipeClosed | WriteFailed | None = None
        self.said: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def event(self, event: IngestEvent) -> None:
        if self.failure is not None:
            return
        try:
            self.show(event)
        except (PipeClosed, WriteFailed) as failure:
            self.failure = failure

    def show(self, event: IngestEvent) -> None:
        if isinstance(event, api.IngestNotice) and event.text not in self.said:
            self.said.add(event.text)
            self.output.note(event.text)


class Lines(Follower):
    """`--json`: each event as `ingest_progress.v1` on stderr, with the counts so far."""

    def __init__(self, output: Output) -> None:
        super().__init__(output)
        self._counts = api.IngestCounts()

    def show(self, event: IngestEvent) -> None:
        self._counts = getattr(event, "counts", self._counts)
        self.output.event(api.ingest_progress(event, self._counts).to_line())


class Bar(Follower):
    """Files done, chunks a second, the file in work, the time left.

    Files are done a batch at a time, when they are committed. Between commits the bar moves by
    the chunks embedded so far, at as many a file as the finished ones had.
    """

    def __init__(self, output: Output) -> None:
        super().__init__(output)
        self._progress = self._new_progress()
        self._task = self._progress.add_task("", total=None, rate="", now="looking for files")
        self._began = time.monotonic()
        self._embedded = 0
        self._finished = self._finished_chunks = 0
        self._started = self._pending_chunks = 0

    def _new_progress(self) -> Progress:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        console = Console(
            file=self.output.file(self.output.stderr, on_failure=self._failed),
            force_terminal=True,
            no_color=not self.output.colours(),
        )
        return Progress(
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeRemainingColumn(compact=True),
            TextColumn("{task.fields[rate]}", markup=False),
            TextColumn("{task.fields[now]}", markup=False),
            console=console,
            transient=True,
            refresh_per_second=8,
        )

    def _failed(self, failure: PipeClosed | WriteFailed) -> None:
        self.failure = self.failure or failure

    def __enter__(self) -> Self:
        self.output.hides_cursor = True
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()
        self.output.hides_cursor = False

    def show(self, event: IngestEvent) -> None:
        match event:
            case api.ScanCompleted():
                self._progress.update(self._task, total=event.to_read, now="")
            case api.AssetStarted():
                self._started += 1
                path = one_line(api.for_display(event.doc_path))
                self._progress.update(self._task, now=path)
            case api.AssetFinished(result="new" | "updated" | "moved" | "error"):
                self._finished += 1
                self._finished_chunks += event.chunks or 0
                self._pending_chunks = max(0, self._pending_chunks - (event.chunks or 0))
                self._move()
            case api.EmbedBatchFinished():
                self._embedded += event.chunks
                self._pending_chunks += event.chunks
                passed = max(0.001, time.monotonic() - self._began)
                self._progress.update(self._task, rate=f"{self._embedded / passed:.0f} chunks/s")
                self._move()
            case api.IngestNotice() if event.text not in self.said:
                self.said.add(event.text)
                self._progress.console.print(
                    api.for_display(event.text), markup=False, highlight=False, emoji=False
                )
            case _:
                return

    def _move(self) -> None:
        a_file = max(1.0, self._finished_chunks / self._finished if self._finished else 2.0)
        in_work = min(self._started - self._finished, self._pending_chunks / a_file)
        self._progress.update(self._task, completed=self._finished + int(max(0.0, in_work)))


class Bars(Follower):
    """A bar for each of several runs, and the terminal left alone between them."""

    def __init__(self, output: Output) -> None:
        super().__init__(output)
        self._bar: Bar | None = None

    def __exit__(self, *_: object) -> None:
        self._end()

    def show(self, event: IngestEvent) -> None:
        if isinstance(event, api.ScanStarted):
            self._end()
            self._bar = Bar(self.output)
            self._bar.said = self.said
            self._bar.__enter__()
        if self._bar is None:
            super().show(event)
            return
        self._bar.show(event)
        if isinstance(event, api.IngestCompleted | api.IngestAborted):
            self._end()

    def _end(self) -> None:
        if self._bar is not None:
            self._bar.__exit__()
            self.failure = self.failure or self._bar.failure
            self._bar = None
