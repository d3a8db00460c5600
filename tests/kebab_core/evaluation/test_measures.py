"""Measures against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.evaluation.measures import (
    hit,
    ndcg,
    percentile,
    precision_and_recall,
    recall,
    reciprocal_rank,
)


def test_gain_is_discounted_by_the_logarithm_of_the_rank() -> None:
    assert ndcg("abc", {"a"}, 10) == 1.0
    assert ndcg("xa", {"a"}, 10) == pytest.approx(1 / math.log2(3))
    both = (1 + 1 / math.log2(4)) / (1 + 1 / math.log2(3))
    assert ndcg("axb", {"a", "b"}, 10) == pytest.approx(both)


def test_what_stands_below_k_does_not_count() -> None:
    assert ndcg("xxxa", {"a"}, 3) == 0.0
    assert recall("axb", {"a", "b"}, 2) == 0.5
    # No more than k can be found, so k of many are all.
    assert ndcg("ab", {"a", "b", "c"}, 2) == 1.0


def test_the_first_right_one() -> None:
    assert (reciprocal_rank("xab", {"a", "b"}), reciprocal_rank("x", {"a"})) == (0.5, 0.0)
    assert (hit("ab", {"a"}), hit("ba", {"a"}), hit("", {"a"})) == (1.0, 0.0, 0.0)


def test_nothing_right_is_nothing_gained() -> None:
    assert (ndcg("ab", set(), 10), recall("ab", set(), 10)) == (0.0, 0.0)


@given(st.permutations(range(8)), st.sets(st.integers(0, 7), min_size=1))
def test_a_better_place_is_never_worth_less(order: list[int], right: set[int]) -> None:
    best = sorted(order, key=lambda one: one not in right)
    assert 0 <= ndcg(order, right, 5) <= ndcg(best, right, 5) == 1.0


def test_nearest_ranks() -> None:
    values = [float(n) for n in range(1, 101)]
    assert [percentile(values, share) for share in (0, 0.5, 0.95, 1)] == [1, 50, 95, 100]
    assert percentile([], 0.5) == 0.0


def test_a_judgement() -> None:
    said, true = [True, True, False, False], [True, False, True, False]
    assert precision_and_recall(said, true) == (0.5, 0.5)
    assert precision_and_recall([False], [False]) == (1.0, 1.0)
