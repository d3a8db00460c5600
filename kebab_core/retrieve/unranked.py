"""Stored passages that no search ranked: opened, or named by their ids."""

from __future__ import annotations

from collections.abc import Sequence

from kebab_core.retrieve.staleness import Staleness
from kebab_core.store import Store
from kebab_core.types import Chunk, Document, Hit, Scope


class Unranked:
    """Gives stored chunks as hits. Their score is 0, and they have no relevance."""

    def __init__(self, store: Store, stale_after_days: int) -> None:
        self._store = store
        self._stale_after_days = stale_after_days

    def of_document(self, document: Document) -> list[Hit]:
        """All passages of it, in its order."""
        return self._hits(self._store.chunks_of(document.doc_id), [document])

    def named(self, chunk_ids: Sequence[str], scope: Scope) -> list[Hit]:
        """Those passages that are there and may be seen, in no particular order."""
        chunks = self._store.chunks(chunk_ids, scope)
        doc_ids = list(dict.fromkeys(chunk.doc_id for chunk in chunks))
        return self._hits(chunks, self._store.documents(doc_ids=doc_ids))

    def _hits(self, chunks: Sequence[Chunk], documents: Sequence[Document]) -> list[Hit]:
        by_id = {document.doc_id: document for document in documents}
        staleness, revision = Staleness(self._stale_after_days), self._store.revision
        hits = []
        for chunk in chunks:
            document = by_id.get(chunk.doc_id)
            if document is None:  # being written, or being removed
                continue
            hits.append(
                Hit(
                    chunk=chunk,
                    rank=chunk.ordinal + 1,
                    score=0.0,
                    score_kind="bm25",
                    title=document.title,
                    indexed_at=document.indexed_at,
                    stale=staleness.of(document),
                    chunker_version=document.chunker_version,
                    index_version=revision,
                    file_path=document.file_path,
                    embedding_id=document.embedding_id,
                )
            )
        return hits
