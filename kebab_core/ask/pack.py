"""Which of the hits become the passages of the first turn."""

from __future__ import annotations

from collections.abc import Iterable

from kebab_core.types import Hit

MAX_PASSAGES = 12
MAX_DOCUMENTS = 6


def pack(hits: Iterable[Hit], *, pinned: Iterable[Hit] = ()) -> tuple[Hit, ...]:
    """At most 12 passages over at most 6 documents, in rank order; what is pinned comes first."""
    taken: dict[str, Hit] = {}
    documents: set[str] = set()
    for hit in (*pinned, *hits):
        doc_id = hit.chunk.doc_id
        if doc_id not in documents and len(documents) == MAX_DOCUMENTS:
            continue
        if len(taken) == MAX_PASSAGES:
            break
        documents.add(doc_id)
        taken.setdefault(hit.chunk.chunk_id, hit)
    return tuple(taken.values())
