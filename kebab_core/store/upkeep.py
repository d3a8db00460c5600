"""When and how the tables are tidied: files merged, new rows indexed, old versions dropped."""

from __future__ import annotations

import json
from datetime import timedelta

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

_KEY = "upkeep"
_TABLES = (CHUNKS, TEXTS, DOCUMENTS, META)


class Upkeep:
    def __init__(self, engine: Engine, meta: Meta, chunks: Chunks, documents: Documents) -> None:
        self._engine = engine
        self._meta = meta
        self._chunks = chunks
        self._documents = documents

    def is_due(self) -> bool:
        """Whether enough was written since the last time."""
        last = json.loads(self._meta.values().get(_KEY, "{}"))
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
        for name in _TABLES:
            with self._engine.reported("Tidying the corpus"):
                self._engine.table(name).optimize(cleanup_older_than=KEEP_VERSIONS)
        versions = {name: self._engine.version(name) for name in _TABLES}
        self._meta.put(_KEY, json.dumps(versions))

    def _sweep(self) -> None:
        """Drop what a killed writer left of documents that have no row."""
        whole = self._documents.ids()
        if lost := self._chunks.doc_ids() - whole:
            self._chunks.remove(sorted(lost))
        if lost := self._documents.text_ids() - whole:
            self._documents.remove_texts(sorted(lost))
