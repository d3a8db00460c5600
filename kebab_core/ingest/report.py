"""Counting what happens in a run, telling it, and the report at its end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict

from kebab_core.ingest.extract.formats import suffix_of
from kebab_core.store.records import DocumentState
from kebab_core.types import (
    AssetFinished,
    AssetResult,
    EmbedBatchFinished,
    IngestAborted,
    IngestCompleted,
    IngestCounts,
    IngestEvent,
    IngestNotice,
)
from kebab_core.wire.ingest import IngestItem, IngestReport

_FIELD: dict[AssetResult, str] = {
    "new": "new",
    "updated": "updated",
    "unchanged": "unchanged",
    "moved": "moved",
    "removed": "removed",
    "skipped": "skipped",
    "error": "errors",
}


class Tally:
    """The counts so far. Every event goes through here, so that counts and events agree."""

    def __init__(self, on_event: Callable[[IngestEvent], None], *, include_items: bool) -> None:
        self._on_event = on_event
        self._begun = time.monotonic()
        self._items: list[IngestItem] | None = [] if include_items else None
        self._skip_reasons: Counter[str] = Counter()
        self._skipped_by_extension: Counter[str] = Counter()
        self._warnings: dict[str, None] = {}
        self._ended = False
        self._deaf = False
        self._numbers: Counter[str] = Counter()

    @property
    def counts(self) -> IngestCounts:
        return IngestCounts(**self._numbers)

    def tell(self, event: IngestEvent) -> None:
        """Pass an event on. A listener that fails is not called again."""
        if self._deaf:
            return
        try:
            self._on_event(event)
        except BaseException:
            self._deaf = True
            raise

    def warn(self, text: str) -> None:
        """Something to be said aloud, once, and kept in the report."""
        if text not in self._warnings:
            self._warnings[text] = None
            self.tell(IngestNotice(text))

    def add(self, **more: int) -> None:
        """Raise counts by their names."""
        for name, number in more.items():
            self._numbers[name] += number

    def finished(
        self,
        source_id: str,
        doc_path: str,
        result: AssetResult,
        *,
        chunks: int | None = None,
        kind: str | None = None,
        reason: str | None = None,
        warnings: Sequence[str] = (),
        ms: int = 0,
        moved_from: str | None = None,
    ) -> None:
        """One document is done with. `kind` is why it was skipped, in one word.

        Unchanged documents are counted and told, but aren't among the report's items.
        """
        self._numbers[_FIELD[result]] += 1
        if result == "skipped":
            self._skip_reasons[kind or "other"] += 1
            suffix = suffix_of(doc_path.rpartition("/")[2])
            self._skipped_by_extension[f".{suffix}" if suffix else "(none)"] += 1
        if self._items is not None and result != "unchanged":
            self._items.append(
                IngestItem(
                    kind=result,
                    source_id=source_id,
                    doc_path=doc_path,
                    chunks=chunks,
                    reason=reason,
                    warnings=list(warnings),
                    ms=ms,
                    moved_from=moved_from,
                )
            )
        self.tell(
            AssetFinished(
                source_id, doc_path, result, chunks, reason, tuple(warnings), ms, moved_from
            )
        )

    def unchanged(self, documents: Collection[DocumentState]) -> None:
        """All of these look as they did: counted and told, as `finished` does it one by one."""
        self._numbers["unchanged"] += len(documents)
        for document in documents:
            source_id, doc_path, chunks = (
                document.source_id,
                document.doc_path,
                document.chunk_count,
            )
            self.tell(AssetFinished(source_id, doc_path, "unchanged", chunks))

    def embedded(self, chunks: int, ms: int) -> None:
        """Some chunks got their vectors."""
        self.add(embeddings_computed=chunks)
        self.tell(EmbedBatchFinished(chunks, ms, self.counts))

    def completed(self) -> None:
        self._end(IngestCompleted(self.counts))

    def aborted(self, reason: str) -> None:
        self._end(IngestAborted(self.counts, reason))

    def report(
        self, scope: Sequence[str], *, dry_run: bool = False, aborted: str | None = None
    ) -> IngestReport:
        counts = asdict(self.counts)
        return IngestReport(
            scope=list(scope),
            duration_ms=round((time.monotonic() - self._begun) * 1000),
            skipped_by_extension=dict(self._skipped_by_extension.most_common()),
            skip_reasons=dict(self._skip_reasons.most_common()),
            items=self._items,
            warnings=list(self._warnings),
            dry_run=dry_run,
            aborted=aborted,
            **counts,
        )

    def _end(self, event: IngestCompleted | IngestAborted) -> None:
        if not self._ended:
            self._ended = True
            self.tell(event)
