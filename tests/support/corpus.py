"""Documents for a real store, made of plain paragraphs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from kebab_core.embed.base import Embedder
from kebab_core.paths import Workspace
from kebab_core.store import Store, StoredDocument
from kebab_core.testing import HashEmbedder
from kebab_core.text.clean import for_model
from kebab_core.text.identity import chunk_id, doc_id, text_hash
from kebab_core.types import Chunk, Document

EMBEDDER = HashEmbedder(32)
WHEN = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)


def workspace(directory: Path) -> Workspace:
    return Workspace("test", directory)


def stored(
    doc_path: str,
    paragraphs: Sequence[str],
    embedder: Embedder | None = None,
    *,
    source_id: str = "notes",
    media: str = "markdown",
    lang: str | None = "en",
    **fields: Any,
) -> StoredDocument:
    """A document of one chunk a paragraph, embedded if there is an embedder."""
    text = "\n\n".join(paragraphs)
    name = doc_id(source_id, doc_path)
    chunks: list[Chunk] = []
    seen: dict[str, int] = {}
    start = 0
    for ordinal, paragraph in enumerate(paragraphs):
        nth = seen[paragraph] = seen.get(paragraph, -1) + 1
        line = text.count("\n", 0, start) + 1
        embedded = for_model(paragraph)
        chunks.append(
            Chunk(
                chunk_id=chunk_id(name, paragraph, nth),
                doc_id=name,
                source_id=source_id,
                doc_path=doc_path,
                ordinal=ordinal,
                text=paragraph,
                start=start,
                end=start + len(paragraph),
                line_start=line,
                line_end=line + paragraph.count("\n"),
                media=media,
                lang=lang,
                embed_text=embedded,
                embed_hash=text_hash(embedded),
                tokens=len(paragraph.split()),
            )
        )
        start += len(paragraph) + 2
    values: dict[str, Any] = {
        "file_path": None,
        "title": doc_path,
        "content_hash": text_hash(text),
        "byte_len": len(text.encode("utf-8", "surrogatepass")),
        "mtime_ns": 1,
        "parser_version": "plain@1",
        "chunker_version": "paragraphs@1",
        "indexed_at": WHEN,
        "verified_at": WHEN,
        "embedding_id": embedder.id if embedder else None,
    }
    document = Document(
        doc_id=name,
        source_id=source_id,
        doc_path=doc_path,
        media=media,
        lang=lang,
        text=text,
        chunk_count=len(chunks),
        **(values | fields),
    )
    vectors = embedder.embed_passages([c.embed_text for c in chunks]) if embedder else None
    return StoredDocument(document, chunks, vectors)


def filled(
    directory: Path, documents: Sequence[StoredDocument], embedder: Embedder | None = None
) -> Store:
    """A new store that holds `documents`."""
    store = Store.open(workspace(directory))
    store.create(embedder.id if embedder else None, embedder.dimensions if embedder else 8)
    store.replace(documents)
    return store


def unit(*values: float) -> Any:
    """A float32 vector of length one."""
    vector = np.asarray(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)
