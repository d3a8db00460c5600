"""Reading runs a thread ahead of embedding, and embedding a thread ahead of writing.

Only values pass between the threads; the caller's own thread writes the store and tells events.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from kebab_core.ingest.flow import Flow, Shut
from kebab_core.ingest.lanes import Lanes
from kebab_core.ingest.measure import Tokenizer
from kebab_core.ingest.plan import ToRead
from kebab_core.ingest.prepare import Nothing, Outcome, Prepared, Read, Same, prepare
from kebab_core.ingest.vectors import Embedding
from kebab_core.store.records import StoredDocument

_READ_AHEAD = 16_000_000
"""Characters that may lie ready, read and chunked."""

BATCH_CHUNKS = 512
"""Chunks of one commit: some seconds of embedding, against a tenth of one for the commit."""
FIRST_BATCH = 64
"""The first commit comes early, so that there is something to find."""
BATCH_DOCUMENTS = 256
BATCH_CHARACTERS = 8_000_000


@dataclass(frozen=True, slots=True)
class Started:
    task: ToRead


@dataclass(frozen=True, slots=True)
class Embedded:
    """A part of a batch has its vectors."""

    chunks: int
    ms: int


@dataclass(slots=True)
class Batch:
    """Documents to be committed together."""

    prepared: list[Prepared] = field(default_factory=list)
    stored: list[StoredDocument] = field(default_factory=list)
    computed: int = 0
    reused: int = 0

    @property
    def chunks(self) -> int:
        return sum(len(item.chunks) for item in self.prepared)


Step: TypeAlias = Started | Embedded | Same | Nothing | Batch


class Stages:
    """Iterate `steps()` in one thread; leaving it early ends the threads."""

    def __init__(
        self,
        tasks: Sequence[ToRead],
        tokenizer: Tokenizer,
        embedding: Embedding | None,
        *,
        embedding_id: str | None,
        max_file_bytes: int,
        max_file_seconds: float,
        workers: int,
    ) -> None:
        self._tasks = tasks
        self._tokenizer = tokenizer
        self._embedding = embedding
        self._embedding_id = embedding_id
        self._max_file_bytes = max_file_bytes
        self._read: Flow[Prepared] = Flow(_READ_AHEAD)
        self._lanes = Lanes(
            self._prepared,
            lambda task: self._out.put(Started(task)),
            self._pass_on,
            workers=workers,
            max_file_seconds=max_file_seconds,
        )
        # One batch on its way to the store while the next is embedded, and no more.
        self._room = threading.Semaphore(1)
        self._out: queue.SimpleQueue[Step | BaseException | None] = queue.SimpleQueue()
        self._stop = threading.Event()

    def steps(self, cancelled: Callable[[], bool]) -> Generator[Step, None, None]:
        """Everything that happens, in order; ends early when `cancelled`. A failure of a thread is
        raised here."""
        if not self._tasks:
            return
        threads = [
            threading.Thread(target=self._guarded, args=(work,), name=name, daemon=True)
            for name, work in (("kebab-read", self._reading), ("kebab-embed", self._embedding_on))
        ]
        for thread in threads:
            thread.start()
        try:
            while not cancelled():
                try:
                    step = self._out.get(timeout=0.1)
                except queue.Empty:
                    continue
                if step is None:
                    return
                if isinstance(step, BaseException):
                    raise step
                yield step
                if isinstance(step, Batch):
                    self._room.release()
        finally:
            self._stop.set()
            self._read.shut()
            self._lanes.close()
            self._room.release()
            for thread in threads:
                # What hangs in a library is left behind: it only reads.
                thread.join(timeout=1)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Shut:
            return
        except BaseException as failure:  # noqa: BLE001 (raised again in the caller's thread)
            self._out.put(failure)

    def _reading(self) -> None:
        self._lanes.run(self._tasks)
        self._read.end()

    def _prepared(self, task: ToRead, read: Read) -> Outcome:
        return prepare(task, self._tokenizer, self._embedding_id, self._max_file_bytes, read)

    def _pass_on(self, outcome: Outcome) -> None:
        if isinstance(outcome, Prepared):
            self._read.put(outcome, outcome.weight)
        else:
            self._out.put(outcome)

    def _embedding_on(self) -> None:
        limit = FIRST_BATCH
        for batch in self._batches(limit):
            if not self._filled(batch):
                return
            while not self._room.acquire(timeout=0.1):
                if self._stop.is_set():
                    return
            if self._stop.is_set():
                return
            self._out.put(batch)
        self._out.put(None)

    def _batches(self, limit: int) -> Iterator[Batch]:
        batch = Batch()
        characters = 0
        while True:
            try:
                item = self._read.get()
            except Shut:
                break
            batch.prepared.append(item)
            characters += item.weight
            if (
                batch.chunks >= limit
                or characters >= BATCH_CHARACTERS
                or len(batch.prepared) >= BATCH_DOCUMENTS
            ):
                yield batch
                batch, characters = Batch(), 0
                limit = min(BATCH_CHUNKS, limit * 2)
        if batch.prepared and not self._stop.is_set():
            yield batch

    def _filled(self, batch: Batch) -> bool:
        """Give the batch its vectors; False when the run is being stopped."""
        if self._embedding is None:
            batch.stored = [
                StoredDocument(item.document, item.chunks, None) for item in batch.prepared
            ]
            return True
        chunks = [chunk for item in batch.prepared for chunk in item.chunks]
        begun = time.monotonic()
        for done in self._embedding.compute(chunks):
            if self._stop.is_set():
                return False
            now = time.monotonic()
            self._out.put(Embedded(done, round((now - begun) * 1000)))
            begun = now
        batch.computed, batch.reused = self._embedding.counts(len(chunks))
        for item in batch.prepared:
            vectors = self._embedding.matrix(item.chunks)
            batch.stored.append(StoredDocument(item.document, item.chunks, vectors))
        return True
