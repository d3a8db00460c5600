"""One corpus after another: the new one is made beside the old, and takes its place in one step.

The table `meta` is shared. It says which generation of the other tables is searched, and which
one is being made; the tables of either are whole by themselves.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from kebab_core.store import schema
from kebab_core.store.engine import Engine
from kebab_core.store.meta import BUILDING, INDEX, Meta, encoded
from kebab_core.store.records import IndexMeta
from kebab_core.store.upkeep import Upkeep


def make(
    engine: Engine, meta: Meta, embedding_id: str | None, dimensions: int, generation: int
) -> None:
    """Empty tables of that number. The mark that they are there comes last: killed in between,
    there is none."""
    if not engine.has_table(schema.META):
        engine.make(schema.META, schema.meta_schema())
    engine.make(schema.CHUNKS, schema.chunks_schema(dimensions), generation)
    engine.make(schema.TEXTS, schema.texts_schema(), generation)
    engine.make(schema.DOCUMENTS, schema.documents_schema(), generation)
    now = datetime.now(UTC)
    meta.put_index(IndexMeta(schema.SCHEMA_VERSION, embedding_id, dimensions, now, generation))


class Succession:
    def __init__(self, engine: Engine, meta: Meta, upkeep: Upkeep) -> None:
        self._engine = engine
        self._meta = meta
        self._upkeep = upkeep
        self._next = Meta(engine, BUILDING)

    def begun(self) -> IndexMeta | None:
        """What is being made, and with what; None where nothing is."""
        return self._next.index(since=0)

    def begin(self, embedding_id: str | None, dimensions: int) -> None:
        """Go on with what is being made, if it is of this model and layout, or begin anew."""
        begun = self.begun()
        wanted = schema.SCHEMA_VERSION, embedding_id, dimensions
        if begun is not None:
            if (begun.schema_version, begun.embedding_id, begun.dimensions) == wanted:
                return
            self._meta.remove(BUILDING)
            self._engine.drop(begun.generation)
        generation = max([self._meta.generation(), *self._upkeep.retired()]) + 1
        # Left by one that was killed before its tables were whole.
        self._engine.drop(generation)
        make(self._engine, self._next, embedding_id, dimensions, generation)

    def complete(self, revision: int) -> None:
        """One commit. `revision` is that of the old corpus: it never falls."""
        begun = self._next.index()
        if begun is None:
            raise ValueError("nothing was made beside the corpus")
        retiring = self._upkeep.retiring(self._meta.generation(), datetime.now(UTC))
        self._meta.change(
            {INDEX: encoded(replace(begun, base=revision)), **retiring},
            without=[BUILDING],
        )
