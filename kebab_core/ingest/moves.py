"""Which new files are documents that went from another place, content and all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kebab_core.store.records import DocumentState
from kebab_core.types import Document


class Moves:
    """Pairs each new document with at most one that is gone and had the very same bytes."""

    def __init__(self, gone: Sequence[DocumentState]) -> None:
        self._left: dict[str, list[DocumentState]] = {}
        self.moved_ids: set[str] = set()
        """Of documents that are elsewhere now, under another id."""
        for state in sorted(gone, key=lambda state: (state.source_id, state.doc_path)):
            if state.error is None:
                self._left.setdefault(state.content_hash, []).append(state)

    def origins_of(self, documents: Iterable[Document]) -> dict[str, list[DocumentState]]:
        """Where new documents were before, those that were moved, by their ids of now.

        Of several copies that went, a document is paired with the one of its name, where there is
        one. The first is where it was; others are places that it was on the way to when a writer
        was killed.
        """
        found: dict[str, list[DocumentState]] = {}
        candidates = [document for document in documents if document.content_hash in self._left]
        for wants_name in (True, False):
            for document in candidates:
                left = self._left[document.content_hash]
                if document.doc_id in found:
                    continue
                name = _name(document.doc_path)
                fitting = [x for x in left if not wants_name or _name(x.doc_path) == name]
                # One that is complete, if there is one.
                fitting.sort(key=lambda state: state.is_announced)
                if fitting:
                    interrupted = [x for x in left if x.is_announced and x is not fitting[0]]
                    found[document.doc_id] = [fitting[0], *interrupted]
                    gone = {id(x) for x in found[document.doc_id]}
                    self._left[document.content_hash] = [x for x in left if id(x) not in gone]
        self.moved_ids.update(origin.doc_id for origins in found.values() for origin in origins)
        return found


def _name(doc_path: str) -> str:
    return doc_path.rpartition("/")[2]
