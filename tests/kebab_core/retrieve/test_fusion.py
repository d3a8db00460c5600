"""Reciprocal rank fusion: what two channels agree on comes first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.retrieve.fusion import RRF_K, fuse

RANKING = st.lists(st.sampled_from("abcdefgh"), unique=True)


def test_the_formula() -> None:
    scores = dict(fuse({"x": ["a", "b"], "y": ["b"]}))
    assert list(scores) == ["b", "a"]
    assert scores["b"] == pytest.approx(1 / (RRF_K + 2) + 1 / (RRF_K + 1))
    assert scores["a"] == pytest.approx(1 / (RRF_K + 1))


def test_a_channel_of_no_weight_adds_nothing() -> None:
    assert fuse({"x": ["a"], "noise": ["b", "a"]}, {"noise": 0.0}) == fuse({"x": ["a"]})


def test_equal_scores_have_one_order() -> None:
    assert [name for name, _ in fuse({"x": ["b"], "y": ["a"]})] == ["a", "b"]


@given(RANKING, RANKING)
def test_the_channels_order_does_not_matter(one: list[str], other: list[str]) -> None:
    fused = fuse({"one": one, "other": other})
    assert fused == fuse({"other": other, "one": one})
    assert {name for name, _ in fused} == {*one, *other}


@given(RANKING)
def test_one_channel_alone_keeps_its_order(ranking: list[str]) -> None:
    assert [name for name, _ in fuse({"only": ranking, "empty": []})] == ranking
