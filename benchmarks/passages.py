"""Passages of a public collection, as documents of a store made for one benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from kebab_core.embed.base import Embedder
from kebab_core.paths import Workspace
from kebab_core.store import Store, StoredDocument
from kebab_core.text.clean import for_model
from kebab_core.text.identity import chunk_id, doc_id, text_hash
from kebab_core.text.language import detect
from kebab_core.types import Chunk, Document

COLLECTIONS = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
"""Where the test collections are, if they are: beside the checkout, no part of it."""


def filled_store(
    directory: Path, passages: Sequence[tuple[str, str]], embedder: Embedder, batch: int = 256
) -> Store:
    """A store with a document of one chunk for each (name, text)."""
    store = Store.open(Workspace("benchmark", directory))
    with store.writer():
        store.create(embedder.id, embedder.dimensions)
        for start in range(0, len(passages), batch):
            part = passages[start : start + batch]
            vectors = embedder.embed_passages([for_model(text) for _, text in part])
            store.replace(
                [
                    _document(name, text, embedder.id, vectors[i : i + 1])
                    for i, (name, text) in enumerate(part)
                ]
            )
        store.optimize()
    return store


def _document(name: str, text: str, embedding_id: str, vectors: object) -> StoredDocument:
    now = datetime.now(UTC)
    name_hash = doc_id("benchmark", name)
    lang = detect(text)
    document = Document(
        doc_id=name_hash,
        source_id="benchmark",
        doc_path=name,
        file_path=None,
        title=name,
        media="text",
        content_hash=text_hash(text),
        byte_len=len(text),
        mtime_ns=0,
        parser_version="none",
        chunker_version="none",
        indexed_at=now,
        verified_at=now,
        text=text,
        lang=lang,
        embedding_id=embedding_id,
        chunk_count=1,
    )
    chunk = Chunk(
        chunk_id=chunk_id(name_hash, text, 0),
        doc_id=name_hash,
        source_id="benchmark",
        doc_path=name,
        ordinal=0,
        text=text,
        start=0,
        end=len(text),
        line_start=1,
        line_end=text.count("\n") + 1,
        media="text",
        lang=lang,
        embed_text=for_model(text),
        embed_hash=text_hash(for_model(text)),
    )
    return StoredDocument(document, [chunk], vectors)  # type: ignore[arg-type]
