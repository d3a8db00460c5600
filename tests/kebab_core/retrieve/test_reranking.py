"""A search whose best passages a reranker has put in order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kebab_core.errors import EmbedderUnavailable
from kebab_core.retrieve import search
from kebab_core.retrieve.reranking import CANDIDATES
from kebab_core.store import Store
from kebab_core.types import SearchOptions, SearchResult
from tests.support.corpus import EMBEDDER, filled, stored


class Longest:
    """Thinks that the longer a text is, the better it answers."""

    id = "longest"

    def __init__(self) -> None:
        self.read: list[str] = []

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        self.read = list(texts)
        return [float(len(text)) for text in texts]


class Broken:
    id = "broken"

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        raise EmbedderUnavailable("The reranker at x can't be used: it fell asleep.")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    directory: Path = tmp_path_factory.mktemp("reranking")
    many = [f"backup number {n} runs at night {'x' * n}" for n in range(CANDIDATES + 8)]
    return filled(directory, [stored("a.md", many, EMBEDDER)], EMBEDDER)


def find(store: Store, reranker: Longest | Broken | None, k: int = 5) -> SearchResult:
    options = SearchOptions(k=k)
    return search(
        store, EMBEDDER, "backup at night", options, stale_after_days=10_000, reranker=reranker
    )


def test_the_best_found_are_put_in_its_order(store: Store) -> None:
    reranker = Longest()
    result = find(store, reranker)
    lengths = [len(hit.chunk.text) for hit in result.hits]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] == max(map(len, reranker.read))
    assert len(reranker.read) == CANDIDATES
    assert {hit.score_kind for hit in result.hits} == {"rerank"}
    assert [hit.score for hit in result.hits] == [hit.rerank_score for hit in result.hits]
    assert all(hit.fusion_score is not None for hit in result.hits)


def test_what_it_did_not_read_comes_after(store: Store) -> None:
    result = find(store, Longest(), k=CANDIDATES + 8)
    assert len(result.hits) == CANDIDATES + 8
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)
    assert [hit.rerank_score is None for hit in result.hits] == [False] * CANDIDATES + [True] * 8


def test_one_that_fails_costs_only_its_order(store: Store) -> None:
    plain, result = find(store, None), find(store, Broken())
    assert [hit.chunk for hit in result.hits] == [hit.chunk for hit in plain.hits]
    assert "fell asleep" in result.warnings[0]
    assert {hit.score_kind for hit in result.hits} == {"convex"}
