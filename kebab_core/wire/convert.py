"""The one place where the core's values become wire types."""

from __future__ import annotations

import re
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from kebab_core.text.clean import for_display
from kebab_core.text.snippet import snippet
from kebab_core.types import (
    AssetFinished,
    AssetStarted,
    Document,
    EmbedBatchFinished,
    Hit,
    IngestAborted,
    IngestCompleted,
    IngestCounts,
    IngestEvent,
    IngestNotice,
    ScanCompleted,
    ScanStarted,
    heading_label,
)
from kebab_core.wire.citation import Citation
from kebab_core.wire.documents import DocSummary
from kebab_core.wire.ingest import Counts, IngestProgress
from kebab_core.wire.search_hit import RetrievalDetail, SearchHit

_ESCAPES = re.compile(r"(%25|%[89A-F][0-9A-F])")


def uri(doc_path: str, fragment: str) -> str:
    """The percent-encoded path with its fragment: `notes/a%20b.md#L3-L9`."""
    # A path may hold escapes already: of bytes that aren't UTF-8, and of a `%` before such.
    pieces = _ESCAPES.split(doc_path)
    return "".join(p if i % 2 else quote(p, safe="/") for i, p in enumerate(pieces)) + fragment


def citation(hit: Hit) -> Citation:
    """Where a hit's passage stands, in the form its medium is cited."""
    chunk = hit.chunk
    if hit.kind == "web" or chunk.media == "web":
        address = hit.url or chunk.doc_path
        return Citation(
            kind="web",
            path=address,
            uri=address,
            url=address,
            title=hit.title or None,
            indexed_at=hit.indexed_at,
            stale=hit.stale,
            of="extracted",
        )
    section = heading_label(chunk.heading_path) or None
    if chunk.page is not None:
        return Citation(
            kind="page",
            path=chunk.doc_path,
            uri=uri(chunk.doc_path, f"#page={chunk.page}"),
            indexed_at=hit.indexed_at,
            stale=hit.stale,
            of=chunk.of,
            page=chunk.page,
            section=section,
        )
    place = uri(chunk.doc_path, f"#L{chunk.line_start}-L{chunk.line_end}")
    if chunk.media == "code":
        return Citation(
            kind="code",
            path=chunk.doc_path,
            uri=place,
            indexed_at=hit.indexed_at,
            stale=hit.stale,
            of=chunk.of,
            line_start=chunk.line_start,
            line_end=chunk.line_end,
            symbol=chunk.symbol,
            lang=chunk.code_lang,
        )
    return Citation(
        kind="line",
        path=chunk.doc_path,
        uri=place,
        indexed_at=hit.indexed_at,
        stale=hit.stale,
        of=chunk.of,
        start=chunk.line_start,
        end=chunk.line_end,
        section=section,
        cell=chunk.cell,
        sheet=chunk.sheet,
        slide=chunk.slide,
    )


def search_hit(hit: Hit, query: str = "") -> SearchHit:
    """A hit for readers: cleaned text, a snippet around the query's words, its citation."""
    chunk = hit.chunk
    text = for_display(chunk.text)
    channels = (hit.lexical_rank is not None, hit.vector_rank is not None)
    method = "hybrid" if hit.fusion_score is not None or all(channels) else "lexical"
    if hit.score_kind == "cosine" or (method == "lexical" and channels[1]):
        method = "vector"
    if hit.kind == "web":
        method = "web"
    return SearchHit.model_validate(
        {
            "rank": hit.rank,
            "n": hit.n,
            "score": hit.score,
            "relevance": hit.relevance,
            "score_kind": hit.score_kind,
            "kind": hit.kind,
            "chunk_id": chunk.chunk_id,
            "doc_id": chunk.doc_id,
            "doc_path": chunk.doc_path,
            "file_path": hit.file_path,
            "title": for_display(hit.title),
            "heading_path": [for_display(part) for part in chunk.heading_path],
            "section_label": for_display(heading_label(chunk.heading_path)) or chunk.symbol,
            "snippet": snippet(text, query),
            "snippet_full_text": text,
            "citation": citation(hit),
            "retrieval": RetrievalDetail.model_validate(
                {
                    "method": method,
                    "fusion_score": hit.fusion_score,
                    "lexical_score": hit.lexical_score,
                    "lexical_rank": hit.lexical_rank,
                    "vector_score": hit.vector_score,
                    "vector_rank": hit.vector_rank,
                    "rerank_score": hit.rerank_score,
                }
            ),
            "index_version": hit.index_version,
            "embedding_model": hit.embedding_id,
            "chunker_version": hit.chunker_version,
            "indexed_at": hit.indexed_at,
            "stale": hit.stale,
            "source_id": chunk.source_id,
            "media": chunk.media,
            "lang": chunk.lang,
            "repo": None,
            "code_lang": chunk.code_lang,
        }
    )


def doc_summary(document: Document, *, stale: bool) -> DocSummary:
    return DocSummary(
        doc_id=document.doc_id,
        source_id=document.source_id,
        doc_path=document.doc_path,
        title=for_display(document.title),
        media=document.media,
        lang=document.lang,
        tags=list(document.tags),
        status=document.status,
        author=document.author,
        byte_len=document.byte_len,
        chunk_count=document.chunk_count,
        indexed_at=document.indexed_at,
        verified_at=document.verified_at,
        stale=stale,
        parser_version=document.parser_version,
        chunker_version=document.chunker_version,
        error=document.error,
    )


def ingest_progress(event: IngestEvent, counts: IngestCounts | None = None) -> IngestProgress:
    """One progress line. `counts` stands in where the event itself carries none."""
    fields: dict[str, Any] = {"ts": _now(), "counts": _counts(counts or IngestCounts())}
    match event:
        case ScanStarted(roots):
            fields |= {"kind": "scan_started", "roots": list(roots)}
        case ScanCompleted(totals, to_read):
            fields |= {
                "kind": "scan_completed",
                "counts": _counts(totals),
                "to_read": to_read,
            }
        case AssetStarted(source_id, doc_path):
            fields |= {"kind": "asset_started", "source_id": source_id, "doc_path": doc_path}
        case AssetFinished():
            fields |= {
                "kind": "asset_finished",
                "source_id": event.source_id,
                "doc_path": event.doc_path,
                "result": event.result,
                "chunks": event.chunks,
                "reason": event.reason,
                "ms": event.ms,
                "moved_from": event.moved_from,
            }
        case EmbedBatchFinished(chunks, ms, totals):
            fields |= {
                "kind": "embed_batch_finished",
                "chunks": chunks,
                "ms": ms,
                "counts": _counts(totals),
            }
        case IngestNotice(text):
            fields |= {"kind": "notice", "text": for_display(text)}
        case IngestCompleted(totals):
            fields |= {"kind": "completed", "counts": _counts(totals)}
        case IngestAborted(totals, reason):
            fields |= {"kind": "aborted", "counts": _counts(totals), "reason": reason}
    return IngestProgress.model_validate(fields)


def _counts(counts: IngestCounts) -> Counts:
    return Counts.model_validate(asdict(counts))


def _now() -> datetime:
    return datetime.now(UTC)
