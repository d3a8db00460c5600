"""One corpus: the tables behind the few operations that the rest of kebab needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from kebab_core.errors import IndexIncompatible, NotIndexed
from kebab_core.paths import Workspace
from kebab_core.store import schema
from kebab_core.store.chunks import Chunks
from kebab_core.store.documents import Documents
from kebab_core.store.engine import Engine, bytes_below
from kebab_core.store.frequencies import Frequencies
from kebab_core.store.lock import WriterLock
from kebab_core.store.meta import BUILDING, INDEX, Meta
from kebab_core.store.predicates import narrowing
from kebab_core.store.records import (
    DocumentState,
    Found,
    IndexMeta,
    StoredDocument,
    StoreStats,
)
from kebab_core.store.sources import Sources, StoredSource
from kebab_core.store.succession import Succession, make
from kebab_core.store.upkeep import Upkeep
from kebab_core.store.vector_index import VectorIndex
from kebab_core.types import Chunk, Document, Filters, Scope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


EVERYTHING = Filters()
NO_MOVES: Mapping[str, Sequence[str]] = {}
OWNER = Scope()


class Store:
    """Opening is cheap; LanceDB is imported at the first real use. Safe from any thread.

    Readers see the last commit of any process and never wait. What writes takes the writer's
    lock by itself; hold `writer()` around several writes that belong together. Where there is
    no corpus yet, reading raises NotIndexed.
    """

    def __init__(
        self, uri: str, workspace: Workspace, *, key: str = INDEX, lock: WriterLock | None = None
    ) -> None:
        self._key = key
        self._workspace = workspace
        self._engine = Engine(uri, workspace.name)
        self._lock = lock or WriterLock(workspace.lock_file)
        self._meta = Meta(self._engine, key)
        self._engine.generation = self._generation
        self._sources = Sources(self._meta)
        self._chunks = Chunks(self._engine)
        self._documents = Documents(self._engine)
        self._revision: tuple[Hashable, int] | None = None
        self._frequencies = Frequencies(self._engine, self._chunks)
        self._vector_index = VectorIndex(self._engine, self._meta)
        self._upkeep = Upkeep(
            self._engine, self._meta, self._chunks, self._documents, self._vector_index
        )
        self._succession = Succession(self._engine, self._meta, self._upkeep)

    @classmethod
    def open(cls, workspace: Workspace, uri: str = "") -> Store:
        """The corpus of `workspace`: in its directory, or at `uri` (a path, s3://…, gs://…)."""
        if not uri:
            uri = str(workspace.store_dir)
        elif "://" not in uri:
            uri = str(Path(uri).expanduser().absolute())
        return cls(uri, workspace)

    def close(self) -> None:
        """Let go of the open tables; using the store again opens them anew."""
        self._engine.forget()

    # --- what is there -------------------------------------------------------------------

    def exists(self) -> bool:
        """Whether there is a corpus. "No" costs only a look into a local directory."""
        try:
            return self._engine.has_table(schema.META) and self._key in self._meta.values()
        except NotIndexed:  # deleted just now
            return False

    @property
    def meta(self) -> IndexMeta | None:
        """None if there is no corpus yet. Raises IndexIncompatible for another layout."""
        if not self._engine.has_table(schema.META):
            return None
        return self._meta.index()

    @property
    def made_with(self) -> IndexMeta | None:
        """As `meta`, of an older kebab's corpus too."""
        return self._meta.index(since=0) if self._engine.has_table(schema.META) else None

    @property
    def is_outdated(self) -> bool:
        """Whether the corpus has the layout of an older kebab: it can only be made anew."""
        meta = self.made_with
        return meta is not None and meta.schema_version < schema.SCHEMA_VERSION

    @property
    def revision(self) -> int:
        """Rises with each commit of any process: the versions of the two searched tables added,
        upon what it was when these tables took the place of others.

        `verify` and `optimize` are commits too.
        """
        stamp = self._engine.stamp(schema.CHUNKS), self._engine.stamp(schema.DOCUMENTS)
        known = self._revision
        if known is None or known[0] != stamp:
            versions = [self._engine.version(name) for name in (schema.CHUNKS, schema.DOCUMENTS)]
            meta = self._meta.index(since=0)
            known = self._revision = stamp, sum(versions) + (meta.base if meta is not None else 0)
        return known[1]

    def check(self, embedding_id: str) -> None:
        """Raises IndexIncompatible, naming both, if the corpus was embedded by another model."""
        meta = self._existing()
        if meta.embedding_id is not None and meta.embedding_id != embedding_id:
            raise _other_model(meta.embedding_id, embedding_id)

    def counts(self) -> tuple[int, int]:
        """(documents, chunks)."""
        self._existing()
        return self._documents.count(), self._chunks.count()

    def stats(self) -> StoreStats:
        self._existing()
        overview = self._documents.overview()
        read = [(media, lang) for media, lang, error, _ in overview if error is None]
        return StoreStats(
            documents=len(overview),
            chunks=self._chunks.count(),
            by_media=dict(Counter(media for media, _ in read).most_common()),
            by_lang=dict(Counter(lang or "unknown" for _, lang in read).most_common()),
            bytes=bytes_below(self._engine.local) if self._engine.local else 0,
            failing=len(overview) - len(read),
            last_ingest_at=max((verified for *_, verified in overview), default=None),
            revision=self.revision,
        )

    # --- making --------------------------------------------------------------------------

    def writer(self) -> AbstractContextManager[None]:
        """Hold the one writer's lock; re-entrant within a thread.

        Raises StoreLocked at once, naming process and host, if another writer has it.
        """
        return self._lock.hold()

    def create(self, embedding_id: str | None, dimensions: int) -> None:
        """Make the tables and their indices, where they aren't there.

        A corpus that was made without a model takes on `embedding_id`; its chunks have no vectors
        until their documents are replaced. Another model than the corpus's raises
        IndexIncompatible.
        """
        with self.writer():
            meta = self.meta
            if meta is None:
                make(self._engine, self._meta, embedding_id, dimensions, 0)
            elif embedding_id is None or embedding_id == meta.embedding_id:
                return
            elif meta.embedding_id is not None:
                raise _other_model(meta.embedding_id, embedding_id)
            else:
                if meta.dimensions != dimensions:
                    self._chunks.widen(dimensions)
                self._meta.put_index(
                    replace(meta, embedding_id=embedding_id, dimensions=dimensions)
                )

    # --- making it anew ------------------------------------------------------------------

    def beside(self) -> Store:
        """What is being made to take this corpus's place: a store like any other, which exists
        after `begin_beside`. It shares the writer's lock and the remembered sources."""
        return Store(self._engine.uri, self._workspace, key=BUILDING, lock=self._lock)

    def begin_beside(self, embedding_id: str | None, dimensions: int) -> Store:
        """Begin a corpus beside this one, or go on with one of this model and layout."""
        with self.writer():
            self._existing(since=0)
            self._succession.begin(embedding_id, dimensions)
        return self.beside()

    def take_over(self) -> None:
        """Put what was made beside in the place of this corpus, in one commit. The old tables
        stay for readers that are at it; a later `optimize` drops them."""
        with self.writer():
            self._succession.complete(self.revision)

    @property
    def beside_meta(self) -> IndexMeta | None:
        """What is being made beside this corpus, and with what; None where nothing is."""
        return self._succession.begun() if self.exists() else None

    # --- writing -------------------------------------------------------------------------

    def replace(
        self, batch: Sequence[StoredDocument], *, moved: Mapping[str, Sequence[str]] = NO_MOVES
    ) -> None:
        """Make these documents be exactly this. `moved`: the ids that some of them had before, by
        the ids that they have now; what is stored under those goes.

        One commit for all chunks, in which those that the documents no longer have are deleted,
        then one for the texts and one for the rows, which say that a document is complete.
        Raises ValueError for vectors of a wrong shape and for a document given twice.
        """
        if not batch:
            return
        doc_ids = {item.document.doc_id for item in batch}
        if len(doc_ids) != len(batch):
            raise ValueError("a document is twice in one batch")
        with self.writer():
            meta = self._existing()
            documents = [item.document for item in batch]
            if moved:
                self._documents.announce([item for item in documents if item.doc_id in moved])
            gone = [doc_id for doc_ids in moved.values() for doc_id in doc_ids]
            self._chunks.replace(batch, meta.dimensions or 1, gone)
            self._documents.replace(documents, gone)

    def remove(self, doc_ids: Sequence[str]) -> None:
        """Delete documents with their chunks. Unknown ids are ignored."""
        if doc_ids:
            with self.writer():
                self._existing()
                self._documents.remove(doc_ids)
                self._chunks.remove(doc_ids)

    def verify(
        self,
        same: Collection[str],
        touched: Sequence[tuple[str, int, int]] = (),
        *,
        at: datetime,
    ) -> None:
        """Note that documents were seen `at` with their content unchanged.

        `same` are ids of those whose file has the stored time and size; each (doc_id, mtime_ns,
        byte_len) of `touched` has others. Commits of the rows alone. Unknown ids are ignored.
        """
        if same or touched:
            with self.writer():
                self._existing()
                self._documents.verify(same, touched, at)

    # --- documents and chunks ------------------------------------------------------------

    def documents(
        self,
        *,
        source_ids: Sequence[str] = (),
        doc_ids: Sequence[str] | None = None,
        with_text: bool = False,
    ) -> list[Document]:
        """Documents in no particular order: all, or of these sources, or of these ids.

        Their `text` is empty unless `with_text`. Ids that aren't there are left out. An older
        kebab's corpus can be listed too.
        """
        self._existing(schema.DOCUMENTS_SINCE)
        if doc_ids is None:
            found = self._documents.all(source_ids)
        else:
            found = list(self._documents.some(doc_ids).values())
            found = [item for item in found if not source_ids or item.source_id in source_ids]
        if not with_text:
            return found
        everything = doc_ids is None and not source_ids
        texts = self._documents.texts(None if everything else [item.doc_id for item in found])
        return [replace(item, text=texts.get(item.doc_id, "")) for item in found]

    def states(self) -> list[DocumentState]:
        """What an ingest compares files with, of all documents; a fraction of what `documents`
        costs. An older kebab's corpus can be listed too."""
        self._existing(schema.DOCUMENTS_SINCE)
        return self._documents.states()

    def documents_within(
        self, filters: Filters = EVERYTHING, scope: Scope = OWNER
    ) -> list[Document]:
        """Those that a search with the same narrowing could find, in no particular order."""
        self._existing()
        found = [item for item in self._documents.all(()) if item.chunk_count]
        where = self._narrowing(filters, scope)
        if where is None:
            return found
        ids = self._chunks.doc_ids(where)
        return [item for item in found if item.doc_id in ids]

    def document(self, doc_id: str) -> Document | None:
        """The document with its text, or None."""
        return next(iter(self.documents(doc_ids=[doc_id], with_text=True)), None)

    def chunk(self, chunk_id: str) -> Chunk | None:
        """Chunks come back without their `embed_text`, which isn't kept."""
        self._existing()
        return self._chunks.get(chunk_id)

    def chunks(self, chunk_ids: Sequence[str], scope: Scope = OWNER) -> list[Chunk]:
        """Those that are there and may be seen, in no particular order."""
        return self._chunks.some(chunk_ids, self._narrowing(EVERYTHING, scope))

    def chunks_of(self, doc_id: str) -> list[Chunk]:
        """In the document's order."""
        self._existing()
        return self._chunks.of_document(doc_id)

    def vectors(self, embed_hashes: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        """Vectors of texts that were embedded before, each of shape (dimensions,), by hash.

        The corpus has one model, so a hash of the embedded text is enough to name a vector.
        """
        self._existing()
        return self._chunks.vectors(embed_hashes)

    # --- searching -----------------------------------------------------------------------

    def search_vector(
        self,
        vector: NDArray[np.float32],
        k: int,
        filters: Filters = EVERYTHING,
        scope: Scope = OWNER,
    ) -> list[Found]:
        """The `k` chunks nearest by cosine, best first; `vector` of shape (dimensions,).

        Equal scores are in the order of their ids. Raises IndexIncompatible for another width.
        """
        meta = self._existing()
        if meta.embedding_id is None:
            return []
        if vector.shape != (meta.dimensions,):
            raise IndexIncompatible(
                f"The query has a vector of {vector.size} dimensions, the corpus of "
                f"{meta.dimensions} ({meta.embedding_id}).",
                "Use the corpus's embedding model, or `kebab reindex` with the new one.",
            )
        where = self._narrowing(filters, scope)
        return self._chunks.search_vector(vector, k, where, self._vector_index.tuned)

    def search_terms(
        self,
        terms: Sequence[str],
        k: int,
        filters: Filters = EVERYTHING,
        scope: Scope = OWNER,
    ) -> list[Found]:
        """The `k` chunks that fit best by BM25 to any of `terms`, best first.

        `terms` as `text.terms.query_terms` gives them. Equal scores are in the order of ids.
        """
        self._existing()
        if not terms:
            return []
        where = self._narrowing(filters, scope)
        return self._chunks.search_terms(terms, k, where)

    def document_frequency(self, term: str) -> int:
        """In how many chunks the term occurs; see `document_frequencies`."""
        return self.document_frequencies([term])[0][term]

    def document_frequencies(self, terms: Sequence[str]) -> tuple[dict[str, int], int]:
        """In how many chunks each term occurs, and how many chunks there are.

        Exact in small corpora, estimated from an even sample in large ones (`frequencies.SAMPLE`).
        """
        self._existing()
        return self._frequencies.of(terms)

    # --- upkeep --------------------------------------------------------------------------

    def needs_upkeep(self) -> bool:
        """Whether enough was written since the last `optimize()` for one to pay."""
        self._existing()
        return self._upkeep.is_due()

    def optimize(self) -> None:
        """Merge small files, index new chunks, drop old versions. No reader notices."""
        with self.writer():
            self._existing()
            self._upkeep.run()

    # --- sources -------------------------------------------------------------------------

    def sources(self) -> list[StoredSource]:
        """Remembered roots by id; none if there is no corpus yet."""
        return self._sources.all() if self._engine.has_table(schema.META) else []

    def set_source(self, source: StoredSource) -> None:
        """Remember a root, or change it. After `create`."""
        with self.writer():
            self._sources.put(source)

    def remove_source(self, source_id: str) -> None:
        """Forget a root; its documents stay until they are removed."""
        with self.writer():
            self._sources.remove(source_id)

    # --- inside --------------------------------------------------------------------------

    def _existing(self, since: int = schema.SCHEMA_VERSION) -> IndexMeta:
        """Raises NotIndexed, and IndexIncompatible for a layout that can't be read."""
        meta = self._meta.index(since) if self._engine.has_table(schema.META) else None
        if meta is None:
            raise self._engine.not_indexed()
        return meta

    def _generation(self) -> int:
        try:
            return self._meta.generation()
        except NotIndexed:
            return 0

    def _narrowing(self, filters: Filters, scope: Scope) -> str | None:
        return narrowing(filters, self._sources.visible(scope), self._within_days(filters))

    def _within_days(self, filters: Filters) -> list[str] | None:
        """Ids of the documents last changed within the filter's days; None if it has none.

        Chunks don't know when their file was touched: that may happen without a new content.
        """
        first, last = filters.changed_from, filters.changed_to
        if first is None and last is None:
            return None
        return [
            item.doc_id
            for item in self._documents.all(())
            if (first or date.min) <= _changed_on(item) <= (last or date.max)
        ]


def _changed_on(document: Document) -> date:
    """The day, in local time, of a file's last change; of what is no file, when it was indexed."""
    if not document.mtime_ns:
        return document.indexed_at.astimezone().date()
    return datetime.fromtimestamp(document.mtime_ns / 1e9, UTC).astimezone().date()


def _other_model(of_corpus: str, given: str) -> IndexIncompatible:
    return IndexIncompatible(
        f"The corpus was embedded with {of_corpus}, but the embedding model in use is {given}.",
        f"Go back to {of_corpus} in [embedding], or index everything again with the new model: "
        "`kebab reindex`.",
        details={"corpus": of_corpus, "model": given},
    )
