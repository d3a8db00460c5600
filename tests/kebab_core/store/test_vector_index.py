"""An index over vectors is made where it pays; what it misses is measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kebab_core.store import Store, vector_index
from kebab_core.testing import HashEmbedder
from kebab_core.types import Filters
from tests.support.corpus import filled, stored

EMBEDDER = HashEmbedder(32)
MANY = 1_200


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Twelve hundred chunks, half of them code, where an index pays from a thousand."""
    monkeypatch.setattr(vector_index, "PAYS_FROM", 1_000)
    words = [f"word{n % 97} term{n % 31} number{n}" for n in range(MANY)]
    documents = [
        stored("a.md", words[::2], EMBEDDER),
        stored("b.py", words[1::2], EMBEDDER, media="code"),
    ]
    return filled(tmp_path, documents, EMBEDDER)


def tuned(store: Store) -> vector_index.Tuned | None:
    return store._vector_index.tuned


def test_search_is_exact_until_it_pays(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_index, "PAYS_FROM", MANY + 1)
    store.optimize()
    assert tuned(store) is None


def test_with_an_index_the_same_is_found(store: Store) -> None:
    queries = [EMBEDDER.embed_query(f"word{n} term{n} number{n}") for n in range(20)]
    before = [[one.chunk.chunk_id for one in store.search_vector(q, 10)] for q in queries]
    store.optimize()
    found = tuned(store)
    assert found is not None
    assert (found.rows, found.recall >= vector_index.RECALL) == (MANY, True)
    after = [[one.chunk.chunk_id for one in store.search_vector(q, 10)] for q in queries]
    shares = [len({*a} & {*b}) / 10 for a, b in zip(before, after, strict=True)]
    assert np.mean(shares) >= 0.95


def test_filters_get_all_they_ask_for(store: Store) -> None:
    store.optimize()
    query = EMBEDDER.embed_query("word1 term1 number1")
    found = store.search_vector(query, 500, Filters(media=("code",)))
    assert len(found) == 500
    assert {one.chunk.media for one in found} == {"code"}


def test_new_chunks_are_found_at_once(store: Store) -> None:
    store.optimize()
    store.replace([stored("new.md", ["an utterly new sentence about zebras"], EMBEDDER)])
    best = store.search_vector(EMBEDDER.embed_query("an utterly new sentence about zebras"), 1)
    assert best[0].chunk.doc_path == "new.md"


def test_it_is_built_anew_when_outgrown(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.optimize()
    first = tuned(store)
    store.optimize()
    assert tuned(store) == first
    monkeypatch.setattr(vector_index, "GROWTH", 1.0)
    store.replace([stored("more.md", [f"more {n}" for n in range(50)], EMBEDDER)])
    store.optimize()
    later = tuned(store)
    assert later is not None
    assert later.rows == MANY + 50
