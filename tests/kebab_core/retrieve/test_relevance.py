"""Relevance: an estimate between 0 and 1 that rises with either channel's evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from kebab_core.retrieve.relevance import (
    CALIBRATED_GATE,
    COSINE,
    SHARE,
    Scale,
    found_share,
    idf,
)
from kebab_core.store import Store
from kebab_core.text.terms import index_terms, query_terms
from tests.support.corpus import EMBEDDER, filled, stored


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    directory: Path = tmp_path_factory.mktemp("relevance")
    texts = ["backups are kept for thirty days", *(f"notes about day {n}" for n in range(20))]
    return filled(directory, [stored("a.md", texts, EMBEDDER)], EMBEDDER)


def test_a_rare_term_weighs_more() -> None:
    assert idf(1, 100) > idf(50, 100) > idf(100, 100) > 0
    assert idf(200, 100) == idf(100, 100)


def test_the_bar_lies_between_no_evidence_and_all_of_it() -> None:
    assert COSINE.at(0.1) < CALIBRATED_GATE < COSINE.at(0.9)
    assert SHARE.at(0.0) < CALIBRATED_GATE < SHARE.at(1.0)


def test_the_share_is_of_weight_not_of_count() -> None:
    weights = {"backup": 3.0, "day": 1.0}
    assert found_share("backup of the", weights) == 0.75
    assert found_share("a day", weights) == 0.25
    assert found_share("anything", {}) is None


def test_the_better_channel_speaks(store: Store) -> None:
    query = "How long are backups kept?"
    scale = Scale(store, query_terms(query), cosine_counts=True)
    passage = index_terms("backups are kept for thirty days")
    by_words = scale.relevance(passage, None)
    assert by_words is not None
    assert by_words > CALIBRATED_GATE
    assert scale.relevance(passage, 0.95) == pytest.approx(max(COSINE.at(0.95), by_words))
    assert scale.relevance("nothing of it", -1.0) == pytest.approx(SHARE.at(0.0))


def test_a_cosine_of_an_embedder_that_cannot_read_says_nothing(store: Store) -> None:
    scale = Scale(store, [], cosine_counts=False)
    assert scale.relevance("whatever", 0.99) is None
