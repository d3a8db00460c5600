"""What a corpus was made with, and what happens when that no longer fits."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from kebab_core.errors import IndexIncompatible, NotIndexed
from kebab_core.store import IndexMeta, Store
from kebab_core.testing import HashEmbedder
from tests.support.corpus import EMBEDDER, WHEN, filled, stored, workspace
from tests.support.old_corpus import made_by_layout_1


def test_meta_and_check(shared: Store, tmp_path: Path) -> None:
    meta = shared.meta
    assert meta is not None
    assert (meta.embedding_id, meta.dimensions) == ("hash@32", 32)
    assert datetime.now(UTC) - meta.created_at < timedelta(minutes=5)
    shared.check("hash@32")
    with pytest.raises(IndexIncompatible, match=r"hash@32.*other@1") as caught:
        shared.check("other@1")
    assert "kebab reindex" in (caught.value.hint or "")
    with pytest.raises(IndexIncompatible, match=r"hash@32.*other@1"):
        shared.create("other@1", 32)
    shared.create("hash@32", 32)
    shared.create(None, 32)
    assert shared.counts() == (4, 4)


@pytest.mark.parametrize("width", [32, 64])
def test_a_corpus_without_a_model_takes_on_one(tmp_path: Path, width: int) -> None:
    store = filled(tmp_path, [stored("a.md", ["cat"])])
    assert store.meta is not None
    assert store.meta.embedding_id is None
    store.check("anything")
    assert store.search_vector(np.zeros(8, dtype=np.float32), 3) == []
    embedder = HashEmbedder(width)
    store.create(embedder.id, width)
    store.check(embedder.id)
    assert store.search_vector(embedder.embed_query("cat"), 3) == []
    assert len(store.search_terms(["cat"], 3)) == 1
    store.replace([stored("a.md", ["cat"], embedder), stored("b.md", ["dog"], embedder)])
    assert store.search_vector(embedder.embed_query("cat"), 3)[0].chunk.text == "cat"
    assert len(store.search_terms(["cat"], 3)) == 1


def test_a_newer_kebabs_corpus_is_refused(tmp_path: Path) -> None:
    store = filled(tmp_path, [stored("a.md", ["cat"], EMBEDDER)], EMBEDDER)
    meta = store.meta
    assert meta is not None
    store._meta.put_index(replace(meta, schema_version=99))
    again = Store.open(workspace(tmp_path))
    assert again.exists()
    with pytest.raises(IndexIncompatible, match=r"newer kebab .*99") as caught:
        _ = again.meta
    assert "--workspace" in (caught.value.hint or "")
    for use in (
        lambda: again.search_terms(["cat"], 3),
        lambda: again.replace([stored("a.md", ["cat"], EMBEDDER)]),
        lambda: again.create(EMBEDDER.id, EMBEDDER.dimensions),
    ):
        with pytest.raises(IndexIncompatible):
            use()


def test_an_older_kebabs_corpus_names_what_mends_it(tmp_path: Path) -> None:
    store = made_by_layout_1(tmp_path)
    assert (store.exists(), store.is_outdated) == (True, True)
    assert [item.doc_path for item in store.documents()] == ["a.md"]
    for use in (
        lambda: store.meta,
        store.counts,
        store.stats,
        store.needs_upkeep,
        lambda: store.check(EMBEDDER.id),
        lambda: store.chunk("x"),
        lambda: store.chunks_of("x"),
        lambda: store.vectors(["x"]),
        lambda: store.search_terms(["cat"], 3),
        lambda: store.search_vector(EMBEDDER.embed_query("cat"), 3),
        lambda: store.document_frequency("cat"),
        lambda: store.replace([stored("a.md", ["cat"], EMBEDDER)]),
        lambda: store.create(EMBEDDER.id, EMBEDDER.dimensions),
    ):
        with pytest.raises(IndexIncompatible, match=r"older kebab .*1.* needs 2") as caught:
            use()
        assert "`kebab ingest --force`" in (caught.value.hint or "")
    beside = store.begin_beside(EMBEDDER.id, EMBEDDER.dimensions)
    beside.replace([stored("a.md", ["cat"], EMBEDDER)])
    store.take_over()
    assert (store.exists(), store.is_outdated) == (True, False)
    assert store.search_terms(["cat"], 3)[0].chunk.text == "cat"


def test_a_corpus_that_is_deleted_and_made_anew(tmp_path: Path) -> None:
    store = filled(tmp_path, [stored("a.md", ["cat"], EMBEDDER)], EMBEDDER)
    reader = Store.open(workspace(tmp_path))
    assert reader.counts() == (1, 1)
    assert reader.document_frequency("cat") == 1
    shutil.rmtree(tmp_path / "store")
    assert not reader.exists()
    with pytest.raises(NotIndexed):
        reader.counts()
    with pytest.raises(NotIndexed):
        store.search_terms(["cat"], 3)
    filled(tmp_path, [stored("b.md", ["dog"], EMBEDDER)], EMBEDDER)
    assert [item.doc_path for item in reader.documents()] == ["b.md"]
    assert reader.document_frequency("cat") == 0
    assert reader.exists()


def test_meta_is_frozen() -> None:
    meta = IndexMeta(1, None, None, WHEN)
    with pytest.raises(AttributeError):
        meta.schema_version = 2  # type: ignore[misc]
