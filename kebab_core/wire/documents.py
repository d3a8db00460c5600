"""`doc_summary.v1`, `chunk_inspection.v1`, `fetch_result.v1`."""

from __future__ import annotations

from typing import ClassVar, Literal

from kebab_core.wire.base import Timestamp, WireModel
from kebab_core.wire.citation import Citation


class DocSummary(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"lang", "status", "author", "error"})

    schema_version: Literal["doc_summary.v1"] = "doc_summary.v1"
    doc_id: str
    source_id: str
    doc_path: str
    title: str
    media: str
    lang: str | None = None
    tags: list[str]
    status: str | None = None
    author: str | None = None
    byte_len: int
    chunk_count: int
    indexed_at: Timestamp
    verified_at: Timestamp
    stale: bool
    parser_version: str
    chunker_version: str
    error: str | None = None


class EmbeddingSize(WireModel):
    id: str
    dimensions: int


class ChunkInspection(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"embedding", "previous", "next"})

    schema_version: Literal["chunk_inspection.v1"] = "chunk_inspection.v1"
    chunk_id: str
    doc_id: str
    doc_path: str
    heading_path: list[str]
    text: str
    start: int
    end: int
    citation: Citation
    tokens: int
    embedding: EmbeddingSize | None = None
    previous: str | None = None
    next: str | None = None


class FetchResult(WireModel):
    schema_version: Literal["fetch_result.v1"] = "fetch_result.v1"
    kind: Literal["chunk", "doc", "span"]
    doc_id: str
    doc_path: str
    text: str
    citation: Citation
    truncated: bool
    before: list[str]
    after: list[str]
