"""Adding documents without leaving the chat."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.message import Message

from kebab_core import api
from kebab_core.api import KebabError
from kebab_tui.add_source import AddSource
from kebab_tui.asking import unexpected
from kebab_tui.desk import Desk
from kebab_tui.messages import IngestEnded, IngestProgressed
from kebab_tui.opening import read_corpus
from kebab_tui.turn import Phase
from kebab_tui.words import clip_left, count, one_line

if TYPE_CHECKING:
    from kebab_core.api import IngestEvent, KnowledgeBase


@dataclass(slots=True)
class Ingesting:
    """Callable once, in a thread. Tells how far it is at most ten times a second."""

    base: KnowledgeBase
    roots: tuple[str, ...]
    post: Callable[[Message], object]
    cancelled: threading.Event
    now: Callable[[], float]
    to_read: int = 0
    read: int = 0
    told_at: float = 0.0

    def __call__(self) -> None:
        try:
            report = self.base.ingest(
                self.roots,
                options=api.IngestOptions(include_items=True),
                on_event=self._heard,
                cancelled=self.cancelled.is_set,
            )
        except KebabError as failure:
            self.post(IngestEnded(None, api.Error.of(failure)))
        except Exception as failure:  # noqa: BLE001 - told on the screen
            self.post(IngestEnded(None, api.Error.of(unexpected(failure))))
        else:
            self.post(IngestEnded(report))

    def _heard(self, event: IngestEvent) -> None:
        match event:
            case api.ScanCompleted(_, to_read):
                self.to_read = to_read
                self._tell(f"{count(to_read, 'file')} to read")
            case api.AssetStarted(_, doc_path):
                self._tell(f"{self.read}/{self.to_read}  {clip_left(one_line(doc_path), 48)}")
            case api.AssetFinished():
                self.read += 1
            case api.EmbedBatchFinished():
                self._tell(f"{self.read}/{self.to_read}  {event.counts.chunks_indexed:,} passages")
            case api.IngestNotice(text):
                self._tell(one_line(text), always=True)

    def _tell(self, text: str, *, always: bool = False) -> None:
        if always or self.now() - self.told_at > 0.1:
            self.told_at = self.now()
            self.post(IngestProgressed(text))


class IngestHandlers(Desk):
    def action_add_source(self) -> None:
        if self.base is None:
            self.say("Still opening.")
            return
        if self.cancel_ingest is not None:
            self.say("One at a time: documents are being read already.")
            return
        has_documents = self.report is not None and self.report.stats.documents > 0
        self.open_dialog(AddSource(self.look, has_documents=has_documents), self.start_ingest)

    def start_ingest(self, path: str) -> None:
        """Read `path` (empty: every source there is); afterwards ask again what wasn't found."""
        if self.base is None:
            return
        last = self.conversation.last
        self.ask_after_ingest = last if last is not None and _was_missing(last.phase) else None
        cancelled = threading.Event()
        self.cancel_ingest = cancelled.set
        self.ingesting = "Looking for files"
        roots = (path,) if path else ()
        self.work(
            "ingest", Ingesting(self.base, roots, self.post_of(self.base), cancelled, self.now)
        )
        self.sync()

    def on_ingest_progressed(self, event: IngestProgressed) -> None:
        if self.cancel_ingest is not None:
            self.ingesting = event.text
            self.sync_status()

    async def on_ingest_ended(self, event: IngestEnded) -> None:
        self.cancel_ingest, self.ingesting = None, ""
        waiting, self.ask_after_ingest = self.ask_after_ingest, None
        if event.error is not None:
            hint = f" {event.error.hint}" if event.error.hint else ""
            self.say(one_line(event.error.message + hint), is_problem=True)
        elif event.report is not None:
            report = event.report
            words = f"{report.new} new, {report.updated} updated, {report.removed} removed"
            if report.errors or report.skipped:
                words += f", {report.skipped} skipped, {report.errors} failed"
            if report.aborted:
                words = f"Stopped: {words}"
            self.say(words, is_problem=bool(report.errors))
            if waiting is not None and (report.new or report.updated):
                await self.send(replace(waiting.request))
        base = self.base
        if base is not None:
            self.work("corpus", lambda: read_corpus(base, self.post_of(base)))
        self.sync()


def _was_missing(phase: Phase) -> bool:
    return phase in (Phase.ABSTAINED, Phase.FAILED)
