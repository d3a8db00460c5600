"""One search: both channels, fused, with how sure and how fresh each hit is."""

from __future__ import annotations

from collections.abc import Sequence

from kebab_core.embed.base import Embedder
from kebab_core.errors import EmbedderUnavailable, InvalidInput, NotIndexed
from kebab_core.retrieve import channels, fusion, relevance
from kebab_core.retrieve.channels import Channels
from kebab_core.retrieve.staleness import Staleness
from kebab_core.store import Found, Store
from kebab_core.text.clean import for_model
from kebab_core.text.language import detect
from kebab_core.text.terms import query_terms
from kebab_core.types import Hit, ScoreKind, SearchMode, SearchOptions, SearchResult

MAX_QUERY_LENGTH = 8_000
MAX_K = 1_000
_KINDS: dict[SearchMode, ScoreKind] = {"lexical": "bm25", "vector": "cosine", "hybrid": "rrf"}


def search(
    store: Store,
    embedder: Embedder | None,
    query: str,
    options: SearchOptions,
    *,
    stale_after_days: int,
    embedder_warning: str | None = None,
) -> SearchResult:
    """The `options.k` best passages for `query`.

    Without an embedder, or with one that fails or can't read the query's language, a hybrid
    search is lexical: `limited`, with a warning. Raises InvalidInput for an empty or overlong
    query, NotIndexed for an empty corpus, EmbedderUnavailable if mode `vector` has no embedder.
    """
    text = _checked(query, options.k)
    mode = options.mode
    if mode == "vector" and embedder is None:
        raise _no_vectors(embedder_warning)
    warnings: list[str] = []
    reads = True
    asked = embedder if mode != "lexical" else None
    if mode == "hybrid" and embedder is None:
        warnings.append(embedder_warning or "Search is lexical only: no embedding model is loaded.")
    if asked is not None and not (reads := asked.reads(lang := detect(text))):
        warnings.append(_unread(asked.id, lang, mode == "vector"))
        asked = asked if mode == "vector" else None
    terms = query_terms(text)
    revision = store.revision
    found = channels.run(
        store,
        text,
        None if mode == "vector" else terms,
        asked,
        max(4 * options.k, 40),
        options.filters,
        options.scope,
    )
    if found.failure is not None:
        if mode == "vector":
            raise found.failure
        warnings.append(f"Search is lexical only: {found.failure.message}")
    scale = relevance.Scale(store, text, by_meaning=reads and found.vector is not None)
    hits = _hits(store, found, options.k, scale, Staleness(stale_after_days), revision)
    if not hits and store.counts()[1] == 0:
        raise NotIndexed(
            "The corpus has no passages yet.", "Add your documents with `kebab ingest PATH`."
        )
    ran = found.ran()
    return SearchResult(
        hits=tuple(hits),
        mode=ran,
        limited=ran != mode,
        warnings=tuple(warnings),
        revision=revision,
    )


def _checked(query: str, k: int) -> str:
    text = for_model(query).strip()
    if not text:
        raise InvalidInput("The query is empty.", "Say what to look for.")
    if len(text) > MAX_QUERY_LENGTH:
        raise InvalidInput(
            f"The query has {len(text):,} characters; at most {MAX_QUERY_LENGTH:,} are read.",
            "Ask for one thing at a time.",
        )
    if not 1 <= k <= MAX_K:
        raise InvalidInput(f"k is {k}; it must be 1 to {MAX_K}.", "Try `-k 8`.")
    return text


def _hits(
    store: Store,
    found: Channels,
    k: int,
    scale: relevance.Scale,
    staleness: Staleness,
    revision: int,
) -> list[Hit]:
    lexical, vector = _by_id(found.lexical), _by_id(found.vector)
    kind = _KINDS[found.ran()]
    fused = fusion.fuse({"lexical": list(lexical), "vector": list(vector)})
    either = {name: item for name, (_, item) in (lexical | vector).items()}
    documents = {
        item.doc_id: item
        for item in store.documents(doc_ids=[item.chunk.doc_id for item in either.values()])
    }
    meta = store.meta
    hits: list[Hit] = []
    for name, fusion_score in fused:
        item = either[name]
        document = documents.get(item.chunk.doc_id)
        if document is None:  # being written, or being removed
            continue
        lexical_rank, by_words = lexical.get(name, (None, None))
        vector_rank, by_meaning = vector.get(name, (None, None))
        cosine = by_meaning.score if by_meaning else None
        hits.append(
            Hit(
                chunk=item.chunk,
                rank=len(hits) + 1,
                score=fusion_score if kind == "rrf" else item.score,
                score_kind=kind,
                title=document.title,
                indexed_at=document.indexed_at,
                # Cut from another content than the row tells of: the row is about to follow.
                stale=staleness.of(document) or item.content_hash != document.content_hash,
                chunker_version=document.chunker_version,
                index_version=revision,
                file_path=document.file_path,
                embedding_id=meta.embedding_id if meta else None,
                relevance=scale.relevance(item.terms, cosine),
                fusion_score=fusion_score if kind == "rrf" else None,
                lexical_score=by_words.score if by_words else None,
                lexical_rank=lexical_rank,
                vector_score=cosine,
                vector_rank=vector_rank,
            )
        )
        if len(hits) == k:
            break
    return hits


def _by_id(found: Sequence[Found] | None) -> dict[str, tuple[int, Found]]:
    """In rank order, by chunk: the rank, and what was found."""
    return {item.chunk.chunk_id: (rank, item) for rank, item in enumerate(found or (), start=1)}


def _no_vectors(warning: str | None) -> EmbedderUnavailable:
    detail = f" {warning}" if warning else ""
    return EmbedderUnavailable(
        f"Vector search needs an embedding model.{detail}",
        "Run `kebab models install`, or search with `--mode lexical`.",
    )


def _unread(embedding_id: str, lang: str | None, anyway: bool) -> str:
    what = "its ranking means little" if anyway else "search is lexical only"
    return (
        f"{embedding_id} was not trained on the language of this query ({lang}), so {what}; "
        "set a multilingual model in [embedding] and ingest again."
    )
