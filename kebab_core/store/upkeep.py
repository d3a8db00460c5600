"""When and how the tables are tidied: files merged, new rows indexed, old versions dropped.

LanceDB merges files stream by stream, so memory stays bounded. Disk does too: a look after each
run compares what is there with what is in use.
"""

from __future__ import annotations

import json
import logging
import time
from datetime import UTC, datetime, timedelta

from kebab_core.store.chunks import Chunks
from kebab_core.store.documents import Documents
from kebab_core.store.engine import Engine
from kebab_core.store.meta import Meta
from kebab_core.store.schema import CHUNKS, DOCUMENTS, META, TEXTS
from kebab_core.store.vector_index import VectorIndex

UNINDEXED_CHUNKS = 512
"""Chunks that full-text search scans one by one before an `optimize()` pays for itself."""
UNINDEXED_SHARE = 0.05
COMMITS = 64
"""Commits of one table: each is a version on disk and at least one small file."""
WASTE_SHARE = 0.5
WASTE_BYTES = 1_000_000
"""Bytes on disk beyond those in use (that share of them, and so many): old versions."""
KEEP_VERSIONS = timedelta(milliseconds=1)
"""None but the last one. An age would protect nobody: a version that is read just now may have been
written long ago. A reader that loses its version begins again instead, see `Engine.read`."""
KEEP_TABLES = timedelta(minutes=10)
"""Tables that others have taken the place of stay for a while: all of a corpus goes with them."""

_log = logging.getLogger(__name__)
_RETIRED = "retired"
_TABLES = (CHUNKS, TEXTS, DOCUMENTS, META)


class Upkeep:
    def __init__(
        self,
        engine: Engine,
        meta: Meta,
        chunks: Chunks,
        documents: Documents,
        vector_index: VectorIndex,
    ) -> None:
        self._engine = engine
        self._meta = meta
        self._chunks = chunks
        self._documents = documents
        self._vector_index = vector_index

    def is_due(self) -> bool:
        """Whether enough was written since the last time."""
        last = json.loads(self._meta.values().get(self._key(), "{}"))
        if any(self._engine.version(name) - last.get(name, 0) > COMMITS for name in _TABLES):
            return True
        return self._has_unindexed() or self._is_wasteful()

    def _has_unindexed(self) -> bool:
        with self._engine.reported("Reading the corpus"):
            table = self._engine.table(CHUNKS)
            waiting = 0
            for index in table.list_indices():
                if index.columns == ["terms"] and (stats := table.index_stats(index.name)):
                    waiting = stats.num_unindexed_rows
            enough = max(UNINDEXED_CHUNKS, UNINDEXED_SHARE * table.count_rows())
        return bool(waiting >= enough)

    def _is_wasteful(self) -> bool:
        on_disk = sum(map(self._engine.bytes_of, _TABLES))
        with self._engine.reported("Reading the corpus"):
            in_use = sum(int(self._engine.table(name).stats()["total_bytes"]) for name in _TABLES)
        return on_disk > in_use * (1 + WASTE_SHARE) + WASTE_BYTES

    def run(self) -> None:
        """Tidy all tables. Killed at any moment, it leaves them as they were or tidied."""
        begun = time.monotonic()
        before = sum(map(self._engine.bytes_of, _TABLES))
        # On shared storage, what no version has and no row names may be just being written.
        is_alone = self._engine.local is not None
        if is_alone:
            self._sweep()
        self._drop_retired()
        for name in _TABLES:
            with self._engine.reported("Tidying the corpus"):
                self._engine.table(name).optimize(
                    cleanup_older_than=KEEP_VERSIONS, delete_unverified=is_alone
                )
        self._vector_index.tend()
        versions = {name: self._engine.version(name) for name in _TABLES}
        self._meta.put(self._key(), json.dumps(versions))
        _log.info(
            "tidied the corpus in %.2f s: %.1f MB on disk, %.1f MB before",
            time.monotonic() - begun,
            sum(map(self._engine.bytes_of, _TABLES)) / 1e6,
            before / 1e6,
        )

    def _key(self) -> str:
        """Of the versions that the tables had after the last time."""
        return f"upkeep:{self._meta.generation()}"

    def retiring(self, generation: int, at: datetime) -> dict[str, str]:
        """The value to be kept when the tables of `generation` are no longer searched."""
        return {_RETIRED: json.dumps(self._retired() | {str(generation): at.isoformat()})}

    def retired(self) -> list[int]:
        """Generations whose tables are still there for readers that began before."""
        return [int(generation) for generation in self._retired()]

    def _retired(self) -> dict[str, str]:
        values: dict[str, str] = json.loads(self._meta.values().get(_RETIRED, "{}"))
        return values

    def _drop_retired(self) -> None:
        retired = self._retired()
        now = datetime.now(UTC)
        kept = {
            generation: since
            for generation, since in retired.items()
            if now - datetime.fromisoformat(since) <= KEEP_TABLES
        }
        for generation in retired.keys() - kept.keys():
            self._engine.drop(int(generation))
        if kept != retired:
            self._meta.put(_RETIRED, json.dumps(kept))

    def _sweep(self) -> None:
        """Drop what a killed writer left of documents that have no row."""
        whole = self._documents.ids()
        if lost := self._chunks.doc_ids() - whole:
            self._chunks.remove(sorted(lost))
        if lost := self._documents.text_ids() - whole:
            self._documents.remove_texts(sorted(lost))
