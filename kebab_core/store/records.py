"""The values that go into a store and come out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from kebab_core.types import Chunk, Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class IndexMeta:
    """What the tables were made with. `embedding_id` None: no vectors yet, lexical search only.

    `dimensions` is the width of the vector column, also while there are no vectors. `generation`
    numbers the tables; `base` is added to their versions, so that the revision never falls.
    """

    schema_version: int
    embedding_id: str | None
    dimensions: int | None
    created_at: datetime
    generation: int = 0
    base: int = 0


class DocumentState(NamedTuple):
    """What of a document's row says whether its file has changed. `verified_ns`: nanoseconds
    since 1970, as `mtime_ns`."""

    doc_id: str
    source_id: str
    doc_path: str
    file_path: str | None
    content_hash: str
    byte_len: int
    mtime_ns: int
    parser_version: str
    chunker_version: str
    embedding_id: str | None
    chunk_count: int
    error: str | None
    verified_ns: int

    @property
    def is_announced(self) -> bool:
        """Whether its chunks were about to come from another document when a writer was killed."""
        return not self.chunker_version and self.error is None


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document with all of its chunks, as it is to be from now on.

    `vectors` has shape (len(chunks), dimensions), float32, unit rows, in the chunks' order; None
    stores the chunks for lexical search only.
    """

    document: Document
    chunks: Sequence[Chunk]
    vectors: NDArray[np.float32] | None


@dataclass(frozen=True, slots=True)
class Found:
    """A chunk that a channel found, with its cosine similarity (-1..1) or BM25 (0..).

    `terms` is what full-text search knows of the chunk. `content_hash` is of the document's
    content that the chunk was cut from: while a document is being replaced, it is for a moment
    newer than the document's own row.
    """

    chunk: Chunk
    score: float
    content_hash: str
    terms: str


@dataclass(frozen=True, slots=True)
class StoreStats:
    """`bytes` on disk, old versions included; 0 where the store isn't on a local disk.

    `failing` counts documents that could not be read; `by_media` and `by_lang` (`unknown` where
    it is) count those that could. `last_ingest_at` is the latest `verified_at`.
    """

    documents: int
    chunks: int
    by_media: Mapping[str, int]
    by_lang: Mapping[str, int]
    bytes: int
    failing: int
    last_ingest_at: datetime | None
    revision: int
