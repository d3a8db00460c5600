"""What the tools see of the corpus: only what is indexed, only within scope and filters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from kebab_core.types import Document, Filters, Hit, Scope, SearchOptions, SearchResult

if TYPE_CHECKING:
    from kebab_core.store import Store


class Corpus(Protocol):
    """Called in threads. Each may raise a KebabError."""

    def search(self, query: str, options: SearchOptions) -> SearchResult: ...

    def documents(self, filters: Filters, scope: Scope) -> Sequence[Document]:
        """Those that a search with the same narrowing could find."""

    def passages(self, document: Document) -> Sequence[Hit]:
        """All of its chunks, in the document's order."""


class StoredCorpus:
    """The `Corpus` that a store keeps."""

    def __init__(
        self,
        store: Store,
        search: Callable[[str, SearchOptions], SearchResult],
        stale_after_days: int,
    ) -> None:
        self._store = store
        self._search = search
        self._stale_after_days = stale_after_days

    def search(self, query: str, options: SearchOptions) -> SearchResult:
        return self._search(query, options)

    def documents(self, filters: Filters, scope: Scope) -> list[Document]:
        return self._store.documents_within(filters, scope)

    def passages(self, document: Document) -> list[Hit]:
        """Nothing ranked them: their score is 0, and they have no relevance."""
        from kebab_core.retrieve.staleness import Staleness

        revision = self._store.revision
        stale = Staleness(self._stale_after_days).of(document)
        return [
            Hit(
                chunk=chunk,
                rank=chunk.ordinal + 1,
                score=0.0,
                score_kind="bm25",
                title=document.title,
                indexed_at=document.indexed_at,
                stale=stale,
                chunker_version=document.chunker_version,
                index_version=revision,
                file_path=document.file_path,
                embedding_id=document.embedding_id,
            )
            for chunk in self._store.chunks_of(document.doc_id)
        ]
