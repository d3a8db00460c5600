"""Relevance: an estimate between 0 and 1 that rises with either channel's evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from kebab_core.retrieve.coverage import Coverage
from kebab_core.retrieve.relevance import CALIBRATED_GATE, COSINE, SHARE, SHARE_ALONE, Scale
from kebab_core.store import Store
from kebab_core.text.terms import index_terms
from tests.support.corpus import EMBEDDER, filled, stored

QUERY = "How long are backups kept?"
PASSAGE = index_terms("backups are kept for thirty days")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    directory: Path = tmp_path_factory.mktemp("relevance")
    texts = ["backups are kept for thirty days", *(f"notes about day {n}" for n in range(20))]
    return filled(directory, [stored("a.md", texts, EMBEDDER)], EMBEDDER)


def test_the_bar_lies_between_no_evidence_and_all_of_it() -> None:
    assert COSINE.at(0.1) < CALIBRATED_GATE < COSINE.at(0.9)
    assert SHARE.at(0.0) < CALIBRATED_GATE < SHARE.at(1.0)
    assert SHARE_ALONE.at(0.0) < CALIBRATED_GATE < SHARE_ALONE.at(1.0)


def test_curves_rise_within_0_and_1() -> None:
    for curve in (COSINE, SHARE, SHARE_ALONE):
        values = [curve.at(x / 10) for x in range(-10, 11)]
        assert values == sorted(values)
        assert 0 < values[0] < values[-1] < 1


def test_the_better_channel_speaks(store: Store) -> None:
    scale = Scale(Coverage(store, QUERY), by_meaning=True)
    by_words = scale.relevance(PASSAGE, None)
    assert by_words is not None
    assert by_words > CALIBRATED_GATE
    assert scale.relevance(PASSAGE, 0.95) == pytest.approx(max(COSINE.at(0.95), by_words))
    assert scale.relevance("nothing of it", 0.95) == pytest.approx(COSINE.at(0.95))
    assert scale.relevance("nothing of it", -1.0) == pytest.approx(SHARE.at(0.0))


def test_words_alone_are_asked_for_less(store: Store) -> None:
    half = index_terms("backups")
    alone = Scale(Coverage(store, QUERY), by_meaning=False).relevance(half, None)
    beside = Scale(Coverage(store, QUERY), by_meaning=True).relevance(half, None)
    assert alone is not None
    assert beside is not None
    assert alone > beside


def test_a_cosine_of_an_embedder_that_can_not_read_says_nothing(store: Store) -> None:
    scale = Scale(Coverage(store, QUERY), by_meaning=False)
    assert scale.relevance("nothing of it", 0.99) == SHARE_ALONE.at(0.0)
    nothing = Coverage(store, "?!")
    assert Scale(nothing, by_meaning=False).relevance("whatever", 0.99) is None
    assert Scale(nothing, by_meaning=True).relevance("whatever", 0.99) == COSINE.at(0.99)
