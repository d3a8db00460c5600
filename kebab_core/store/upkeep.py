"""When and how the tables are tidied: files merged, new rows indexed, old versions dropped."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from kebab_core.store.chunks import Chunks
from kebab_core.store.documents import Documents
from kebab_core.store.engine import Engine
from kebab_core.store.meta import Meta
from kebab_core.store.schema import CHUNKS, DOCUMENTS, META, TEXTS

UNINDEXED_CHUNKS = 512
"""Chunks that full-text search scans one by one before an `optimize()` pays for itself."""
UNINDEXED_SHARE = 0.05
COMMITS = 64
"""Commits of one table: each is a version on disk and at least one small file."""
KEEP_VERSIONS = timedelta(hours=1)
"""A reader works on the version it began with, for seconds at the most."""

_RETIRED = "retired"
_TABLES = (CHUNKS, TEXTS, DOCUMENTS, META)


class Upkeep:
    def __init__(self, engine: Engine, meta: Meta, chunks: Chunks, documents: Documents) -> None:
        self._engine = engine
        self._meta = meta
        self._chunks = chunks
        self._documents = documents

    def is_due(self) -> bool:
        """Whether enough was written since the last time."""
        last = json.loads(self._meta.values().get(self._key(), "{}"))
        if any(self._engine.version(name) - last.get(name, 0) > COMMITS for name in _TABLES):
            return True
        with self._engine.reported("Reading the corpus"):
            table = self._engine.table(CHUNKS)
            waiting = 0
            for index in table.list_indices():
                if index.columns == ["terms"] and (stats := table.index_stats(index.name)):
                    waiting = stats.num_unindexed_rows
            enough = max(UNINDEXED_CHUNKS, UNINDEXED_SHARE * table.count_rows())
        return bool(waiting >= enough)

    def run(self) -> None:
        """Tidy all tables. Killed at any moment, it leaves them as they were or tidied."""
        if self._engine.local is not None:
            # On shared storage, a document without a row may be one just being written.
            self._sweep()
        self._drop_retired()
        for name in _TABLES:
            with self._engine.reported("Tidying the corpus"):
                self._engine.table(name).optimize(cleanup_older_than=KEEP_VERSIONS)
        versions = {name: self._engine.version(name) for name in _TABLES}
        self._meta.put(self._key(), json.dumps(versions))

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
            if now - datetime.fromisoformat(since) <= KEEP_VERSIONS
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
