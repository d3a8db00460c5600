"""A corpus as the first layout had it: each part of a chunk's place in a column of its own."""

from __future__ import annotations

import json
from pathlib import Path

import lancedb
import pyarrow as pa

from kebab_core.store import Store, StoredDocument
from tests.support.corpus import EMBEDDER, filled, stored, workspace


def made_by_layout_1(directory: Path) -> Store:
    """A real store of one document, its chunks in a real table of layout 1."""
    item = stored("a.md", ["cat"], EMBEDDER)
    filled(directory, [item], EMBEDDER).close()
    connection = lancedb.connect(directory / "store")
    connection.create_table(
        "chunks", pa.Table.from_pylist([_row(item)], schema=_schema()), mode="overwrite"
    )
    meta = connection.open_table("meta")
    (row,) = meta.search().where("key = 'index'").to_list()
    made_with = json.loads(row["value"]) | {"schema_version": 1}
    meta.update(where="key = 'index'", values={"value": json.dumps(made_with)})
    return Store.open(workspace(directory))


def _schema() -> pa.Schema:
    return pa.schema(
        [
            pa.field("id", pa.string(), nullable=False),
            pa.field("doc_id", pa.string(), nullable=False),
            ("source_id", pa.string()),
            ("doc_path", pa.string()),
            ("ordinal", pa.int32()),
            ("text", pa.large_binary()),
            ("start", pa.int64()),
            ("end", pa.int64()),
            ("line_start", pa.int64()),
            ("line_end", pa.int64()),
            ("media", pa.string()),
            ("of", pa.string()),
            ("page", pa.int32()),
            ("heading_path", pa.list_(pa.string())),
            ("symbol", pa.string()),
            ("lang", pa.string()),
            ("code_lang", pa.string()),
            ("tokens", pa.int32()),
            ("embed_hash", pa.string()),
            ("content_hash", pa.string()),
            ("tags", pa.list_(pa.string())),
            ("terms", pa.string()),
            ("vector", pa.list_(pa.float32(), EMBEDDER.dimensions)),
        ]
    )


def _row(item: StoredDocument) -> dict[str, object]:
    (chunk,) = item.chunks
    return {
        "id": chunk.chunk_id,
        "doc_id": chunk.doc_id,
        "source_id": chunk.source_id,
        "doc_path": chunk.doc_path,
        "ordinal": chunk.ordinal,
        "text": chunk.text.encode(),
        "start": chunk.start,
        "end": chunk.end,
        "line_start": chunk.line_start,
        "line_end": chunk.line_end,
        "media": chunk.media,
        "of": chunk.of,
        "page": chunk.page,
        "heading_path": list(chunk.heading_path),
        "symbol": chunk.symbol,
        "lang": chunk.lang,
        "code_lang": chunk.code_lang,
        "tokens": chunk.tokens,
        "embed_hash": chunk.embed_hash,
        "content_hash": item.document.content_hash,
        "tags": [],
        "terms": "cat",
        "vector": EMBEDDER.embed_query("cat").tolist(),
    }
