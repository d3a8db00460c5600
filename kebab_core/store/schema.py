"""The tables and their columns.

chunks      what is searched: text, place, terms for full text, vector
texts       the stored text of each document, apart so that a document's row is cheap to rewrite
documents   all else about a document; its row says that its chunks and text are complete
meta        a key and a JSON value: what the index was made with, remembered sources

Texts and local paths may hold lone surrogates, which no Arrow string can: they are kept as
bytes (UTF-8, surrogates passed through). Everything derived is cleaned and kept as strings.

A column that a search reads costs it about 0.2 ms, whatever it holds. So all that a chunk is,
beside its text, is in one column as JSON (`place`); what is filtered by has columns of its own
too, which are never read.
"""

from __future__ import annotations

from typing import Any

SCHEMA_VERSION = 2
"""Raised when a store made before can no longer be read or written."""
DOCUMENTS_SINCE = 1
"""The oldest layout whose `documents` is still this one: what it holds can be listed, so that
nothing is lost unnoticed when all is indexed again."""

CHUNKS, TEXTS, DOCUMENTS, META = "chunks", "texts", "documents", "meta"

GENERATED = frozenset({CHUNKS, TEXTS, DOCUMENTS})
"""Tables that are there twice while all is indexed again: the new ones have a number."""

PRIMARY_KEYS = {CHUNKS: "id", TEXTS: "doc_id", DOCUMENTS: "doc_id", META: "key"}
INDEXED = {
    CHUNKS: ("id", "doc_id", "embed_hash"),
    TEXTS: ("doc_id",),
    DOCUMENTS: ("doc_id",),
    META: (),
}
"""Columns with a B-tree; `chunks.terms` has the full-text index."""


def chunks_schema(dimensions: int) -> Any:
    import pyarrow as pa

    return pa.schema(
        [
            _key("id"),
            _key("doc_id"),
            ("text", pa.large_binary()),
            ("place", pa.string()),
            ("terms", pa.string()),
            ("source_id", pa.string()),
            ("doc_path", pa.string()),
            ("media", pa.string()),
            ("lang", pa.string()),
            ("code_lang", pa.string()),
            ("tags", pa.list_(pa.string())),
            ("embed_hash", pa.string()),
            ("vector", vector_type(dimensions)),
        ]
    )


def vector_type(dimensions: int) -> Any:
    import pyarrow as pa

    return pa.list_(pa.float32(), dimensions)


def texts_schema() -> Any:
    import pyarrow as pa

    return pa.schema([_key("doc_id"), ("text", pa.large_binary())])


def documents_schema() -> Any:
    import pyarrow as pa

    moment = pa.timestamp("us", tz="UTC")
    return pa.schema(
        [
            _key("doc_id"),
            ("source_id", pa.string()),
            ("doc_path", pa.string()),
            ("file_path", pa.large_binary()),
            ("title", pa.string()),
            ("media", pa.string()),
            ("content_hash", pa.string()),
            ("byte_len", pa.int64()),
            ("mtime_ns", pa.int64()),
            ("parser_version", pa.string()),
            ("chunker_version", pa.string()),
            ("indexed_at", moment),
            ("verified_at", moment),
            ("of", pa.string()),
            ("lang", pa.string()),
            ("code_lang", pa.string()),
            ("tags", pa.list_(pa.string())),
            ("status", pa.string()),
            ("author", pa.string()),
            ("page_starts", pa.list_(pa.int64())),
            ("embedding_id", pa.string()),
            ("chunk_count", pa.int64()),
            ("error", pa.string()),
        ]
    )


def meta_schema() -> Any:
    import pyarrow as pa

    return pa.schema([_key("key"), ("value", pa.string())])


def _key(name: str) -> Any:
    import pyarrow as pa

    # A primary key must not be nullable.
    return pa.field(name, pa.string(), nullable=False)
