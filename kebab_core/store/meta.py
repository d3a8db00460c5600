"""A small table of keys and JSON values: what the index was made with, and what is remembered."""

from __future__ import annotations

import json
import threading
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from kebab_core.errors import IndexIncompatible
from kebab_core.store.engine import Engine
from kebab_core.store.predicates import equals, one_of
from kebab_core.store.records import IndexMeta
from kebab_core.store.schema import META, SCHEMA_VERSION, meta_schema

INDEX = "index"
"""The key of what is searched,"""
BUILDING = "building"
"""and of what is being made beside it, to take its place."""


class Meta:
    """Reads are answered from memory for as long as the table hasn't changed."""

    def __init__(self, engine: Engine, key: str = INDEX) -> None:
        """`key`: INDEX or BUILDING, which of the two `index` and `put_index` are about."""
        self._engine = engine
        self._key = key
        self._lock = threading.Lock()
        self._known: tuple[Hashable, Mapping[str, str]] | None = None

    def values(self) -> Mapping[str, str]:
        """All keys with their JSON. Raises NotIndexed if the table isn't there."""
        stamp = self._engine.stamp(META)
        with self._lock:
            if self._known is None or self._known[0] != stamp:
                rows = self._engine.read(
                    "Reading the corpus",
                    lambda: self._engine.table(META).search().select(["key", "value"]).to_arrow(),
                )
                pairs = zip(rows["key"].to_pylist(), rows["value"].to_pylist(), strict=True)
                self._known = stamp, dict(pairs)
            return self._known[1]

    def put(self, key: str, value: str) -> None:
        """Add or change one value; one commit."""
        self.change({key: value})

    def change(self, values: Mapping[str, str], without: Sequence[str] = ()) -> None:
        """Add or change values and remove others, all in one commit."""
        import pyarrow as pa

        pairs = [{"key": key, "value": value} for key, value in values.items()]
        with self._engine.reported("Writing the corpus"):
            rows = pa.Table.from_pylist(pairs, schema=meta_schema())
            merge = self._engine.table(META).merge_insert("key").when_matched_update_all()
            merge = merge.when_not_matched_insert_all()
            if without:
                merge = merge.when_not_matched_by_source_delete(one_of("key", without))
            merge.execute(rows)

    def remove(self, key: str) -> None:
        with self._engine.reported("Writing the corpus"):
            self._engine.table(META).delete(equals("key", key))

    # --- what the index was made with ----------------------------------------------------

    def index(self, since: int = SCHEMA_VERSION) -> IndexMeta | None:
        """None while there is none. Raises IndexIncompatible for a layout of a newer kebab, and
        for one older than `since`."""
        value = self.values().get(self._key)
        if value is None:
            return None
        fields = json.loads(value)
        layout = fields["schema_version"]
        if layout > SCHEMA_VERSION:
            raise _unread(
                layout,
                f"The corpus was made by a newer kebab (its layout is {layout}, "
                f"this one reads up to {SCHEMA_VERSION}).",
                "Update kebab, or use another workspace with `--workspace NAME`.",
            )
        if layout < since:
            raise _unread(
                layout,
                f"The corpus was made by an older kebab (its layout is {layout}, "
                f"this one needs {since}).",
                "Index everything again: `kebab ingest --force`, without paths.",
            )
        return IndexMeta(
            schema_version=fields["schema_version"],
            embedding_id=fields["embedding_id"],
            dimensions=fields["dimensions"],
            created_at=datetime.fromisoformat(fields["created_at"]),
            generation=fields.get("generation", 0),
            base=fields.get("base", 0),
        )

    def generation(self) -> int:
        """Number of the tables that the index is in; 0 where there is none."""
        value = self.values().get(self._key)
        return int(json.loads(value).get("generation", 0)) if value is not None else 0

    def put_index(self, meta: IndexMeta) -> None:
        self.put(self._key, encoded(meta))


def encoded(meta: IndexMeta) -> str:
    return json.dumps(asdict(meta) | {"created_at": meta.created_at.isoformat()})


def _unread(layout: int, message: str, hint: str) -> IndexIncompatible:
    return IndexIncompatible(message, hint, details={"found": layout, "supported": SCHEMA_VERSION})
