"""Tables are tidied when it pays, and no reader notices."""

from __future__ import annotations

from pathlib import Path

from kebab_core.store import Store
from tests.support.corpus import EMBEDDER, stored, workspace


def test_what_a_killed_writer_left_is_swept(fresh: Store) -> None:
    half = stored("half.md", ["lonely"], EMBEDDER)
    fresh.replace([stored("whole.md", ["cat"], EMBEDDER)])
    # As if killed after its chunks, before its row.
    fresh._chunks.replace([half], EMBEDDER.dimensions)
    assert fresh.counts() == (1, 2)
    fresh.optimize()
    assert fresh.counts() == (1, 1)
    assert fresh.search_terms(["lone"], 3) == []
    assert len(fresh.search_terms(["cat"], 3)) == 1


def test_upkeep_is_due_when_much_was_written(fresh: Store) -> None:
    fresh.replace([stored("a.md", ["x"], EMBEDDER)])
    assert not fresh.needs_upkeep()
    fresh.replace([stored("big.md", [f"word{i}" for i in range(600)], EMBEDDER)])
    assert fresh.needs_upkeep()
    fresh.optimize()
    assert not fresh.needs_upkeep()
    assert len(fresh.search_terms(["word17"], 3)) == 1


def test_a_reader_of_before_survives_an_optimize(fresh: Store, tmp_path: Path) -> None:
    reader = Store.open(workspace(tmp_path))
    for i in range(4):
        fresh.replace([stored(f"{i}.md", ["cat"], EMBEDDER)])
    old = reader._engine.table("chunks").search().select(["id"]).to_batches()
    fresh.optimize()
    assert sum(batch.num_rows for batch in old) == 4
    assert len(reader.search_terms(["cat"], 9)) == 4
