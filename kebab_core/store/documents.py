"""The documents table and, apart, their texts."""

from __future__ import annotations

import threading
from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from kebab_core.store import predicates
from kebab_core.store.chunks import IN_LIST, parted
from kebab_core.store.encoding import from_bytes, to_bytes, to_optional, to_string
from kebab_core.store.engine import Engine
from kebab_core.store.records import DocumentState
from kebab_core.store.schema import DOCUMENTS, TEXTS, documents_schema, texts_schema
from kebab_core.types import Document

_STATE = [*DocumentState._fields[:-1], "verified_at"]
_READING = "Reading the corpus"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Documents:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._stamp: Hashable = None
        self._known: dict[str, Document] = {}

    # --- writing -------------------------------------------------------------------------

    def replace(self, documents: Sequence[Document], instead_of: Collection[str] = ()) -> None:
        """Texts first: a document's row says that all else of it is there. Those whose place
        they take go in the same commits."""
        import pyarrow as pa

        texts = [{"doc_id": item.doc_id, "text": to_bytes(item.text)} for item in documents]
        self._merge(TEXTS, pa.Table.from_pylist(texts, schema=texts_schema()), instead_of)
        self._merge(DOCUMENTS, _table([_row(item) for item in documents]), instead_of)

    def announce(self, documents: Sequence[Document]) -> None:
        """Rows of documents whose chunks are about to come from another document, so that none is
        without a row if the writer is killed in between. They say of themselves that they aren't
        complete: made by no chunker, they are done again by the next ingest."""
        rows = [_row(replace(item, chunker_version="")) for item in documents]
        self._merge(DOCUMENTS, _table(rows))

    def remove(self, doc_ids: Sequence[str]) -> None:
        """Rows first: what is left of a document without its row is never shown."""
        with self._engine.reported("Writing the corpus"):
            for name in (DOCUMENTS, TEXTS):
                for part in parted(doc_ids):
                    self._engine.table(name).delete(predicates.one_of("doc_id", part))

    def remove_texts(self, doc_ids: Sequence[str]) -> None:
        with self._engine.reported("Writing the corpus"):
            for part in parted(doc_ids):
                self._engine.table(TEXTS).delete(predicates.one_of("doc_id", part))

    def verify(
        self, same: Collection[str], touched: Sequence[tuple[str, int, int]], at: datetime
    ) -> None:
        """Ids that aren't there are ignored. One commit for the same, one for the touched."""
        if same:
            others = self.ids().difference(same)
            if len(others) <= IN_LIST:
                # Said by those that it isn't true of: the rows needn't pass through here.
                where = f"NOT {predicates.one_of('doc_id', sorted(others))}" if others else None
                self._stamp_rows(where, at)
            else:
                for part in parted(list(same)):
                    self._stamp_rows(predicates.one_of("doc_id", part), at)
        if touched:
            self._rewrite(touched, at)

    def _stamp_rows(self, where: str | None, at: datetime) -> None:
        moment = f"timestamp '{at.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}'"
        with self._engine.reported("Writing the corpus"):
            self._engine.table(DOCUMENTS).update(where, values_sql={"verified_at": moment})

    def _rewrite(self, seen: Sequence[tuple[str, int, int]], at: datetime) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        schema = documents_schema()
        wanted = pa.array([doc_id for doc_id, _, _ in seen], type=pa.string())
        few = len(seen) <= IN_LIST
        where = predicates.one_of("doc_id", wanted.to_pylist()) if few else None
        rows = self._select(DOCUMENTS, schema.names, where)
        place = pc.index_in(rows["doc_id"], value_set=wanted)
        rows, place = rows.filter(pc.is_valid(place)), place.drop_null()
        if not rows.num_rows:
            return
        news = {
            "mtime_ns": pa.array([mtime for _, mtime, _ in seen], type=pa.int64()).take(place),
            "byte_len": pa.array([size for _, _, size in seen], type=pa.int64()).take(place),
            "verified_at": pa.array([at] * rows.num_rows, type=schema.field("verified_at").type),
        }
        for name, values in news.items():
            rows = rows.set_column(rows.column_names.index(name), schema.field(name), values)
        self._merge(DOCUMENTS, rows.select(schema.names).cast(schema))

    def _merge(self, name: str, rows: Any, gone: Collection[str] = ()) -> None:
        with self._engine.reported("Writing the corpus"):
            merge = self._engine.table(name).merge_insert("doc_id").when_matched_update_all()
            merge = merge.when_not_matched_insert_all()
            if gone:
                merge = merge.when_not_matched_by_source_delete(predicates.one_of("doc_id", gone))
            merge.execute(rows)

    # --- reading -------------------------------------------------------------------------

    def count(self) -> int:
        return self._engine.read(_READING, lambda: int(self._engine.table(DOCUMENTS).count_rows()))

    def all(self, source_ids: Sequence[str] = ()) -> list[Document]:
        """Without their texts; of those sources, if any are given."""
        where = predicates.one_of("source_id", source_ids) if source_ids else None
        return _documents(self._select(DOCUMENTS, documents_schema().names, where))

    def states(self) -> list[DocumentState]:
        """Of every document, from columns alone: a value a document, and no more."""
        rows = self._select(DOCUMENTS, _STATE, None)
        columns = [rows[name].to_pylist() for name in _STATE[:-1]]
        columns[_STATE.index("file_path")] = _paths(rows["file_path"])
        columns.append(_nanoseconds(rows["verified_at"]))
        return list(map(DocumentState._make, zip(*columns, strict=True)))

    def some(self, doc_ids: Sequence[str]) -> dict[str, Document]:
        """Those that are there, without their texts; kept in memory until the table changes."""
        stamp = self._engine.stamp(DOCUMENTS)
        with self._lock:
            if self._stamp != stamp:
                self._stamp, self._known = stamp, {}
            known = self._known
        unknown = [doc_id for doc_id in dict.fromkeys(doc_ids) if doc_id not in known]
        for part in parted(unknown):
            where = predicates.one_of("doc_id", part)
            rows = self._select(DOCUMENTS, documents_schema().names, where)
            # Into the dictionary of that commit: a later one has its own.
            known.update((document.doc_id, document) for document in _documents(rows))
        return {doc_id: known[doc_id] for doc_id in doc_ids if doc_id in known}

    def texts(self, doc_ids: Sequence[str] | None = None) -> dict[str, str]:
        """Stored texts by document; all of them, if none are named."""
        if doc_ids is None:
            return _texts(self._select(TEXTS, ["doc_id", "text"], None))
        found: dict[str, str] = {}
        for part in parted(doc_ids):
            where = predicates.one_of("doc_id", part)
            found.update(_texts(self._select(TEXTS, ["doc_id", "text"], where)))
        return found

    def ids(self) -> set[str]:
        return set(self._select(DOCUMENTS, ["doc_id"], None)["doc_id"].to_pylist())

    def text_ids(self) -> set[str]:
        return set(self._select(TEXTS, ["doc_id"], None)["doc_id"].to_pylist())

    def overview(self) -> list[tuple[str, str | None, str | None, datetime]]:
        """(media, lang, error, verified_at) of every document."""
        rows = self._select(DOCUMENTS, ["media", "lang", "error", "verified_at"], None)
        columns = [rows[name].to_pylist() for name in ("media", "lang", "error", "verified_at")]
        return list(zip(*columns, strict=True))

    def _select(self, name: str, columns: Sequence[str], where: str | None) -> Any:
        def select() -> Any:
            query = self._engine.table(name).search().select(list(columns))
            return (query.where(where) if where else query).to_arrow()

        return self._engine.read(_READING, select)


def _table(rows: list[dict[str, Any]]) -> Any:
    import pyarrow as pa

    return pa.Table.from_pylist(rows, schema=documents_schema())


def _row(document: Document) -> dict[str, Any]:
    return {
        "doc_id": document.doc_id,
        "source_id": to_string(document.source_id),
        "doc_path": to_string(document.doc_path),
        "file_path": None if document.file_path is None else to_bytes(document.file_path),
        "title": to_string(document.title),
        "media": to_string(document.media),
        "content_hash": document.content_hash,
        "byte_len": document.byte_len,
        "mtime_ns": document.mtime_ns,
        "parser_version": document.parser_version,
        "chunker_version": document.chunker_version,
        "indexed_at": document.indexed_at,
        "verified_at": document.verified_at,
        "of": document.of,
        "lang": to_optional(document.lang),
        "code_lang": to_optional(document.code_lang),
        "tags": [to_string(tag) for tag in document.tags],
        "status": to_optional(document.status),
        "author": to_optional(document.author),
        "page_starts": list(document.page_starts),
        "embedding_id": document.embedding_id,
        "chunk_count": document.chunk_count,
        "error": to_optional(document.error),
    }


def _documents(rows: Any) -> list[Document]:
    read = {"indexed_at": _moments, "verified_at": _moments, "file_path": _paths}
    read |= {"tags": _tuples, "page_starts": _tuples}
    names = rows.column_names
    columns = [read.get(name, _values)(rows[name]) for name in names]
    return [Document(**dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]


def _values(column: Any) -> list[Any]:
    values: list[Any] = column.to_pylist()
    return values


def _tuples(column: Any) -> list[Any]:
    return [tuple(values) for values in column.to_pylist()]


def _paths(column: Any) -> list[Any]:
    return [None if path is None else from_bytes(path) for path in column.to_pylist()]


def _moments(column: Any) -> list[Any]:
    # Arrow's own way to Python's datetimes takes twenty times as long.
    import pyarrow as pa

    return [
        _EPOCH + timedelta(microseconds=moment) for moment in column.cast(pa.int64()).to_pylist()
    ]


def _nanoseconds(column: Any) -> list[int]:
    """Since 1970."""
    import pyarrow as pa

    numbers: list[int] = column.cast(pa.timestamp("ns", tz="UTC")).cast(pa.int64()).to_pylist()
    return numbers


def _texts(rows: Any) -> dict[str, str]:
    texts = map(from_bytes, rows["text"].to_pylist())
    return dict(zip(rows["doc_id"].to_pylist(), texts, strict=True))
