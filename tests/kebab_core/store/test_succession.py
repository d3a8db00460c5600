"""A corpus is made beside another one and takes its place in one step."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from kebab_core.errors import IndexIncompatible
from kebab_core.store import Store, StoredSource, upkeep
from kebab_core.testing import HashEmbedder
from tests.support.corpus import EMBEDDER, filled, stored, workspace

BIGGER = HashEmbedder(64)


def tables(store_dir: Path) -> set[str]:
    return {path.stem for path in (store_dir / "store").glob("*.lance")}


def test_readers_see_the_old_one_until_the_new_one_is_whole(tmp_path: Path) -> None:
    store = filled(tmp_path, [stored("a.md", ["cat"], EMBEDDER)], EMBEDDER)
    reader = Store.open(workspace(tmp_path))
    source = StoredSource("notes", "/notes", "command line")
    store.set_source(source)
    revision = reader.revision
    beside = store.begin_beside(BIGGER.id, 64)
    beside.replace([stored("a.md", ["dog"], BIGGER), stored("b.md", ["bird"], BIGGER)])
    beside.optimize()
    assert reader.counts() == (1, 1)
    assert reader.revision == revision
    assert reader.search_vector(EMBEDDER.embed_query("cat"), 1)[0].chunk.text == "cat"
    assert reader.beside_meta is not None
    assert reader.beside_meta.embedding_id == "hash@64"
    assert (beside.counts(), beside.sources()) == ((2, 2), [source])

    store.take_over()
    for either in (reader, store):
        assert either.counts() == (2, 2)
        assert either.meta is not None
        assert either.meta.embedding_id == "hash@64"
        assert either.search_vector(BIGGER.embed_query("dog"), 1)[0].chunk.text == "dog"
        assert either.search_terms(["cat"], 3) == []
        assert len(either.search_terms(["bird"], 3)) == 1
        assert either.document_frequency("cat") == 0
        assert either.documents(doc_ids=[stored("b.md", []).document.doc_id])
        assert either.beside_meta is None
        with pytest.raises(IndexIncompatible, match=r"32 dimensions.*64"):
            either.search_vector(EMBEDDER.embed_query("cat"), 1)
    assert reader.revision > revision
    assert reader.sources() == [source]
    store.replace([stored("c.md", ["fish"], BIGGER)])
    assert reader.counts() == (3, 3)


def test_what_was_begun_is_gone_on_with_or_begun_anew_for_another_model(tmp_path: Path) -> None:
    store = filled(tmp_path, [stored("a.md", ["cat"], EMBEDDER)], EMBEDDER)
    store.begin_beside(BIGGER.id, 64).replace([stored("a.md", ["cat"], BIGGER)])
    again = Store.open(workspace(tmp_path)).begin_beside(BIGGER.id, 64)
    assert again.counts() == (1, 1)
    other = HashEmbedder(16)
    beside = store.begin_beside(other.id, 16)
    assert beside.counts() == (0, 0)
    beside.replace([stored("a.md", ["cat"], other)])
    assert store.search_vector(EMBEDDER.embed_query("cat"), 1)
    store.take_over()
    assert store.search_vector(other.embed_query("cat"), 1)
    assert beside.exists() is False


def test_the_old_tables_stay_for_readers_and_go_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = filled(tmp_path, [stored("a.md", ["cat"], EMBEDDER)], EMBEDDER)
    old = Store.open(workspace(tmp_path))._engine.table("chunks").search().select(["id"])
    store.begin_beside(BIGGER.id, 64).replace([stored("a.md", ["cat"], BIGGER)])
    store.take_over()
    store.optimize()
    assert old.to_arrow().num_rows == 1
    assert {"chunks", "chunks_1"} <= tables(tmp_path)
    monkeypatch.setattr(upkeep, "KEEP_TABLES", timedelta(0))
    store.optimize()
    assert tables(tmp_path) == {"meta", "chunks_1", "texts_1", "documents_1"}
    # The next one takes another number, whatever is there.
    store.begin_beside(EMBEDDER.id, 32)
    assert "chunks_2" in tables(tmp_path)
    assert store.counts() == (1, 1)
