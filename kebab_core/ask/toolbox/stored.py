"""What the tools see of the corpus: only what is indexed, only within scope and filters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from kebab_core.types import Document, Filters, Hit, Scope, SearchOptions, SearchResult

if TYPE_CHECKING:
    from kebab_core.retrieve.unranked import Unranked
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
        unranked: Unranked,
    ) -> None:
        self._store = store
        self._search = search
        self._unranked = unranked

    def search(self, query: str, options: SearchOptions) -> SearchResult:
        return self._search(query, options)

    def documents(self, filters: Filters, scope: Scope) -> list[Document]:
        return self._store.documents_within(filters, scope)

    def passages(self, document: Document) -> list[Hit]:
        return self._unranked.of_document(document)
