"""The chunks table: writing whole documents, and the two ways of searching."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any

from kebab_core.store import predicates
from kebab_core.store.encoding import from_bytes, to_bytes, to_optional, to_string
from kebab_core.store.engine import Engine
from kebab_core.store.records import Found, StoredDocument
from kebab_core.store.schema import CHUNKS, chunks_schema, vector_type
from kebab_core.store.vector_index import Tuned, nearest
from kebab_core.text.clean import for_model
from kebab_core.text.terms import index_terms
from kebab_core.types import Chunk, Document

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_IN_COLUMNS = {"chunk_id", "text"}
_PLACED = [field.name for field in fields(Chunk) if field.name not in _IN_COLUMNS | {"embed_text"}]
_READ = ["id", "text", "place"]
_READING, _SEARCHING = "Reading the corpus", "Searching the corpus"
IN_LIST = 1_000
"""Values in one `IN (…)`."""


class Chunks:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    # --- writing -------------------------------------------------------------------------

    def replace(
        self, batch: Sequence[StoredDocument], dimensions: int, instead_of: Collection[str] = ()
    ) -> None:
        """One commit: what these documents no longer have, and all of those that they stand
        `instead_of`, is deleted in it."""
        rows = _rows(batch, dimensions)
        doc_ids = [item.document.doc_id for item in batch]
        stale = predicates.one_of("doc_id", [*doc_ids, *instead_of])
        with self._engine.reported("Writing the corpus"):
            merge = self._engine.table(CHUNKS).merge_insert("id")
            merge = merge.when_matched_update_all().when_not_matched_insert_all()
            merge = merge.when_not_matched_by_source_delete(stale)
            # Missing vectors are meant: LanceDB takes any null for a mistake.
            merge.execute(rows, on_bad_vectors="null")

    def remove(self, doc_ids: Sequence[str]) -> None:
        with self._engine.reported("Writing the corpus"):
            for part in parted(doc_ids):
                self._engine.table(CHUNKS).delete(predicates.one_of("doc_id", part))

    def widen(self, dimensions: int) -> None:
        """Vectors of another width from now on. All must still be missing: they are dropped."""
        import pyarrow as pa

        with self._engine.reported("Writing the corpus"):
            table = self._engine.table(CHUNKS)
            table.drop_columns(["vector"])
            table.add_columns(pa.schema([pa.field("vector", vector_type(dimensions))]))

    # --- reading -------------------------------------------------------------------------

    def count(self) -> int:
        return self._engine.read(_READING, lambda: int(self._engine.table(CHUNKS).count_rows()))

    def get(self, chunk_id: str) -> Chunk | None:
        rows = self._select(_READ, predicates.equals("id", chunk_id))
        return next(iter(_chunks(rows)), None)

    def some(self, chunk_ids: Sequence[str], where: str | None) -> list[Chunk]:
        also = f" AND {where}" if where else ""
        found: list[Chunk] = []
        for part in parted(chunk_ids):
            found.extend(_chunks(self._select(_READ, predicates.one_of("id", part) + also)))
        return found

    def of_document(self, doc_id: str) -> list[Chunk]:
        rows = self._select(_READ, predicates.equals("doc_id", doc_id))
        return sorted(_chunks(rows), key=lambda chunk: chunk.ordinal)

    def doc_ids(self, where: str | None = None) -> set[str]:
        """Ids of the documents that have chunks."""
        return set(self._select(["doc_id"], where)["doc_id"].unique().to_pylist())

    def vectors(self, embed_hashes: Sequence[str]) -> dict[str, NDArray[np.float32]]:
        found: dict[str, NDArray[np.float32]] = {}
        for part in parted(list(dict.fromkeys(embed_hashes))):
            where = f"{predicates.one_of('embed_hash', part)} AND vector IS NOT NULL"
            rows = self._select(["embed_hash", "vector"], where)
            if rows.num_rows:
                vectors = rows["vector"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
                matrix = vectors.reshape(rows.num_rows, -1)
                found.update(zip(rows["embed_hash"].to_pylist(), matrix, strict=True))
        return found

    def search_vector(
        self, vector: NDArray[np.float32], k: int, where: str | None, tuned: Tuned | None
    ) -> list[Found]:
        """The `k` chunks of highest cosine similarity; those without a vector aren't seen."""
        columns = [*_READ, "terms"]
        rows = self._engine.read(
            _SEARCHING,
            lambda: nearest(self._engine.table(CHUNKS), vector, k, columns, where, tuned),
        )
        similarities = [1.0 - distance for distance in rows["_distance"].to_pylist()]
        return _ranked(rows, similarities)

    def search_terms(self, terms: Sequence[str], k: int, where: str | None) -> list[Found]:
        """The `k` chunks of highest BM25 over `terms`; one that has none of them isn't found."""
        from lancedb.query import MatchQuery

        # A MatchQuery knows no operators: a term is a term, whatever signs it holds.
        match = MatchQuery(" ".join(terms), "terms")

        def best() -> Any:
            query = self._engine.table(CHUNKS).search(match, query_type="fts")
            query = query.select([*_READ, "terms", "_score"]).limit(k)
            return (query.where(where) if where else query).to_arrow()

        rows = self._engine.read(_SEARCHING, best)
        return _ranked(rows, rows["_score"].to_pylist())

    def sample_of_terms(self, size: int) -> tuple[Any, int]:
        """The `terms` of `size` chunks spread over the table, or of all; and how many there are.

        The first is an Arrow array of strings, the same for the same commit.
        """

        def sample() -> tuple[Any, int]:
            table = self._engine.table(CHUNKS)
            total = int(table.count_rows())
            if total <= size:
                rows = table.search().select(["terms"]).to_arrow()
                return rows, rows.num_rows
            # One at a time from each stretch, by lot: a regular step may meet a regular corpus.
            lot = Random(total)  # noqa: S311
            edges = [i * total // size for i in range(size + 1)]
            offsets = [lot.randrange(low, high) for low, high in pairwise(edges)]
            return table.take_offsets(offsets).select(["terms"]).to_arrow(), total

        rows, total = self._engine.read(_READING, sample)
        return rows["terms"].combine_chunks(), total

    def _select(self, columns: Sequence[str], where: str | None) -> Any:
        def select() -> Any:
            query = self._engine.table(CHUNKS).search().select(list(columns))
            return (query.where(where) if where else query).to_arrow()

        return self._engine.read(_READING, select)


def parted(values: Sequence[str]) -> Iterator[Sequence[str]]:
    """`values` in parts that fit one `IN (…)`."""
    for start in range(0, len(values), IN_LIST):
        yield values[start : start + IN_LIST]


def _rows(batch: Sequence[StoredDocument], dimensions: int) -> Any:
    import pyarrow as pa

    pairs = [(item.document, chunk) for item in batch for chunk in item.chunks]
    columns: dict[str, list[Any]] = {
        "id": [chunk.chunk_id for _, chunk in pairs],
        "doc_id": [chunk.doc_id for _, chunk in pairs],
        "text": [to_bytes(chunk.text) for _, chunk in pairs],
        "place": [_place(document, chunk) for document, chunk in pairs],
        "terms": [
            to_string(index_terms(chunk.embed_text or for_model(chunk.text))) for _, chunk in pairs
        ],
        "source_id": [to_string(chunk.source_id) for _, chunk in pairs],
        "doc_path": [to_string(chunk.doc_path) for _, chunk in pairs],
        "media": [to_string(chunk.media) for _, chunk in pairs],
        "lang": [to_optional(chunk.lang) for _, chunk in pairs],
        "code_lang": [to_optional(chunk.code_lang) for _, chunk in pairs],
        "tags": [[to_string(tag) for tag in document.tags] for document, _ in pairs],
        "embed_hash": [chunk.embed_hash for _, chunk in pairs],
    }
    schema = chunks_schema(dimensions)
    arrays = [
        pa.array(columns[field.name], type=field.type) for field in schema if field.name in columns
    ]
    return pa.Table.from_arrays([*arrays, _vectors(batch, dimensions)], schema=schema)


def _vectors(batch: Sequence[StoredDocument], dimensions: int) -> Any:
    import numpy as np
    import pyarrow as pa

    parts: list[NDArray[np.float32]] = []
    missing: list[NDArray[np.bool_]] = []
    for item in batch:
        count = len(item.chunks)
        if item.vectors is None:
            parts.append(np.zeros((count, dimensions), dtype=np.float32))
            missing.append(np.ones(count, dtype=np.bool_))
            continue
        if item.vectors.shape != (count, dimensions):
            raise ValueError(
                f"{item.document.doc_path}: vectors of shape {item.vectors.shape} for {count} "
                f"chunks of {dimensions} dimensions"
            )
        parts.append(np.asarray(item.vectors, dtype=np.float32))
        # A vector that isn't one (NaN, infinity) would poison every comparison.
        missing.append(np.logical_not(np.isfinite(item.vectors).all(axis=1)))
    matrix = np.concatenate(parts) if parts else np.zeros((0, dimensions), dtype=np.float32)
    mask = np.concatenate(missing) if missing else np.zeros(0, dtype=np.bool_)
    return pa.FixedSizeListArray.from_arrays(
        pa.array(np.ascontiguousarray(matrix).reshape(-1)), dimensions, mask=pa.array(mask)
    )


def _place(document: Document, chunk: Chunk) -> str:
    kept = {name: getattr(chunk, name) for name in _PLACED}
    kept["content_hash"] = document.content_hash
    return to_string(json.dumps(kept, ensure_ascii=False, separators=(",", ":")))


def _ranked(rows: Any, scores: Sequence[float]) -> list[Found]:
    found = [
        Found(chunk, float(score), content_hash, terms)
        for (chunk, content_hash), score, terms in zip(
            _placed(rows), scores, rows["terms"].to_pylist(), strict=True
        )
    ]
    # LanceDB leaves the order of equals open.
    found.sort(key=lambda item: (-item.score, item.chunk.chunk_id))
    return found


def _chunks(rows: Any) -> Iterator[Chunk]:
    return (chunk for chunk, _ in _placed(rows))


def _placed(rows: Any) -> Iterator[tuple[Chunk, str]]:
    """Each chunk with the content hash of its document."""
    columns = [rows[name].to_pylist() for name in _READ]
    for chunk_id, text, place in zip(*columns, strict=True):
        kept = json.loads(place)
        content_hash = kept.pop("content_hash")
        kept["heading_path"] = tuple(kept["heading_path"])
        yield Chunk(chunk_id=chunk_id, text=from_bytes(text), **kept), content_hash
