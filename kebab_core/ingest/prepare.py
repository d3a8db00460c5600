"""One file, read: a document with its chunks, or why there is none."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from kebab_core.ingest import chunk, names
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.found import FoundFile
from kebab_core.ingest.measure import Tokenizer
from kebab_core.ingest.plan import ToRead
from kebab_core.ingest.reading import Content, read_file, reason_of
from kebab_core.store.records import DocumentState
from kebab_core.text.identity import content_hash, doc_id
from kebab_core.types import Chunk, Document, Extraction


@dataclass(frozen=True, slots=True)
class Prepared:
    """Ready to be embedded and stored. A document that could not be read has `error` set and no
    chunks: it is stored too, so that it is tried again and nothing is passed over in silence."""

    file: FoundFile
    document: Document
    chunks: Sequence[Chunk]
    result: Literal["new", "updated", "error"]
    warnings: tuple[str, ...]
    ms: int

    @property
    def weight(self) -> int:
        """Characters held in memory, about."""
        return len(self.document.text) + 2 * sum(len(item.embed_text) for item in self.chunks)


@dataclass(frozen=True, slots=True)
class Same:
    """Touched, but of the same content."""

    file: FoundFile
    document: DocumentState
    ms: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing to store. `kind` None: the file could not be opened, what is stored of it stays."""

    file: FoundFile
    previous: DocumentState | None
    kind: str | None
    reason: str
    ms: int


Outcome: TypeAlias = Prepared | Same | Nothing
Read: TypeAlias = Callable[[str, bytes], Extraction]
"""Raises Skipped and Failed, and what is its own (`Apart`, `Closed`)."""


def prepare(
    task: ToRead, tokenizer: Tokenizer, embedding_id: str | None, max_file_bytes: int, read: Read
) -> Outcome:
    """Read, extract and chunk one file. Never raises for what is in it, but what `read` raises of
    its own."""
    begun = time.monotonic()

    def ms() -> int:
        return round((time.monotonic() - begun) * 1000)

    file = task.file
    try:
        content = read_file(file.path, max_file_bytes)
    except OSError as failure:
        return Nothing(file, task.previous, None, reason_of(failure), ms())
    if content.truncated:
        reason = f"grew beyond ingest.max_file_bytes ({max_file_bytes:,}) while it was read"
        return Nothing(file, task.previous, "too_large", reason, ms())
    file = file._replace(byte_len=content.byte_len, mtime_ns=content.mtime_ns)
    digest = content_hash(content.data)
    previous = task.previous
    if previous is not None and not task.must_redo and previous.content_hash == digest:
        return Same(file, previous, ms())
    name = task.reader_name
    made: list[Chunk] = []
    warnings: tuple[str, ...] = ()
    try:
        document, extraction = _document(file, content, digest, name, embedding_id, read)
        made = chunk.chunks(
            extraction, document.doc_id, document.source_id, document.doc_path, tokenizer
        )
        document = replace(document, chunk_count=len(made))
        warnings = extraction.warnings
    except Skipped as skipped:
        return Nothing(file, previous, skipped.kind, skipped.reason, ms())
    except Failed as failed:
        document = _failed(file, digest, name, failed.reason)
    except (RecursionError, MemoryError) as failure:
        # Of one file, not of the run.
        document = _failed(file, digest, name, f"too deep or too large: {type(failure).__name__}")
    result: Literal["new", "updated", "error"] = "new" if previous is None else "updated"
    if document.error is not None:
        result = "error"
    return Prepared(file, document, made, result, warnings, ms())


def _document(
    file: FoundFile,
    content: Content,
    digest: str,
    name: str,
    embedding_id: str | None,
    read: Read,
) -> tuple[Document, Extraction]:
    extraction = read(name, content.data)
    document = replace(
        _bare(file, digest),
        title=extraction.title or name,
        media=extraction.media,
        parser_version=extraction.parser_version,
        text=extraction.text,
        of=extraction.of,
        lang=extraction.lang,
        code_lang=extraction.code_lang,
        tags=extraction.tags,
        status=extraction.status,
        author=extraction.author,
        page_starts=extraction.page_starts,
        embedding_id=embedding_id,
    )
    return document, extraction


def _failed(file: FoundFile, digest: str, name: str, reason: str) -> Document:
    return replace(_bare(file, digest), title=name, error=reason)


def _bare(file: FoundFile, digest: str) -> Document:
    now = datetime.now(UTC)
    return Document(
        doc_id=doc_id(file.source_id, file.doc_path),
        source_id=file.source_id,
        doc_path=file.doc_path,
        # JSON can't carry a path that isn't UTF-8.
        file_path=file.path if names.to_text(file.path) == file.path else None,
        title="",
        media="unknown",
        content_hash=digest,
        byte_len=file.byte_len,
        mtime_ns=file.mtime_ns,
        parser_version="",
        chunker_version=chunk.VERSION,
        indexed_at=now,
        verified_at=now,
    )
