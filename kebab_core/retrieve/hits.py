"""What the channels found, made hits: one order, with how sure and how fresh each is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from kebab_core.retrieve.channels import Channels
from kebab_core.retrieve.fusion import fuse
from kebab_core.retrieve.relevance import Scale
from kebab_core.retrieve.staleness import Staleness
from kebab_core.store import Found, Store
from kebab_core.types import Hit, ScoreKind, SearchMode

_KINDS: dict[SearchMode, ScoreKind] = {"lexical": "bm25", "vector": "cosine", "hybrid": "convex"}


Ordered = list[tuple[Found, float]]


def ordered(found: Channels, weights: Mapping[str, float]) -> Ordered:
    """Everything found, best first, with the score it is ordered by."""
    if found.lexical is None or found.vector is None:
        return [(item, item.score) for item in found.lexical or found.vector or ()]
    either = {item.chunk.chunk_id: item for item in (*found.vector, *found.lexical)}
    fused = fuse({"lexical": _scores(found.lexical), "vector": _scores(found.vector)}, weights)
    return [(either[chunk_id], score) for chunk_id, score in fused]


class Hits:
    """Makes hits for one search."""

    def __init__(
        self,
        store: Store,
        found: Channels,
        fused: Ordered,
        scale: Scale,
        staleness: Staleness,
        reranked: Mapping[str, float],
    ) -> None:
        """`reranked`: a reranker's scores by chunk, looked at as hits are made."""
        self.revision = store.revision
        self._store = store
        self._scale = scale
        self._staleness = staleness
        self._reranked = reranked
        self._kind = _KINDS[found.ran()]
        self._fused = {item.chunk.chunk_id: score for item, score in fused}
        self._lexical, self._vector = _ranks(found.lexical), _ranks(found.vector)
        meta = store.meta
        self._embedding_id = meta.embedding_id if meta else None
        chunks = [item.chunk for item in (*(found.lexical or ()), *(found.vector or ()))]
        doc_ids = list(dict.fromkeys(chunk.doc_id for chunk in chunks))
        self._documents = {item.doc_id: item for item in store.documents(doc_ids=doc_ids)}

    def of(self, ordered: Iterable[tuple[Found, float]]) -> Iterator[Hit]:
        """In that order, without chunks of documents that are being written or removed."""
        for item, score in ordered:
            document = self._documents.get(item.chunk.doc_id)
            if document is None:
                continue
            chunk_id = item.chunk.chunk_id
            lexical_rank, bm25 = self._lexical.get(chunk_id, (None, None))
            vector_rank, cosine = self._vector.get(chunk_id, (None, None))
            yield Hit(
                chunk=item.chunk,
                rank=1,
                score=score,
                score_kind="rerank" if self._reranked else self._kind,
                title=document.title,
                indexed_at=document.indexed_at,
                # Cut from another content than the row tells of: the row is about to follow.
                stale=self._staleness.of(document) or item.content_hash != document.content_hash,
                chunker_version=document.chunker_version,
                index_version=self.revision,
                file_path=document.file_path,
                embedding_id=self._embedding_id,
                relevance=self._scale.relevance(item.terms, cosine),
                fusion_score=self._fused.get(chunk_id) if self._kind == "convex" else None,
                rerank_score=self._reranked.get(chunk_id),
                lexical_score=bm25,
                lexical_rank=lexical_rank,
                vector_score=cosine,
                vector_rank=vector_rank,
            )


def _scores(found: Sequence[Found]) -> list[tuple[str, float]]:
    return [(item.chunk.chunk_id, item.score) for item in found]


def _ranks(found: Sequence[Found] | None) -> dict[str, tuple[int, float]]:
    """Rank and score, by chunk."""
    return {item.chunk.chunk_id: (n, item.score) for n, item in enumerate(found or (), start=1)}
