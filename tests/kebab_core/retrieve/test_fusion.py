"""A weighted sum of scores: what two channels agree on comes first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.retrieve.fusion import fuse

EVEN = {"x": 0.5, "y": 0.5}
SCORED = st.dictionaries(
    st.sampled_from("abcdefgh"), st.floats(-5, 5, allow_subnormal=False), max_size=8
).map(lambda scores: sorted(scores.items(), key=lambda pair: (-pair[1], pair[0])))


def test_scores_are_stretched_and_added() -> None:
    x = [("a", 30.0), ("b", 20.0), ("c", 10.0)]
    y = [("b", 0.9), ("d", 0.1)]
    assert fuse({"x": x, "y": y}, EVEN) == [
        ("b", pytest.approx(0.75)),
        ("a", pytest.approx(0.5)),
        ("d", 0.0),
        ("c", 0.0),
    ]


def test_one_that_is_far_ahead_outweighs_a_close_race() -> None:
    sure = [("a", 9.0), ("b", 1.0), ("c", 0.0)]
    close = [("b", 0.51), ("c", 0.50), ("a", 0.505)]
    assert fuse({"x": sure, "y": sorted(close, key=lambda pair: -pair[1])}, EVEN)[0][0] == "a"


def test_a_channel_of_no_weight_adds_nothing() -> None:
    alone = fuse({"x": [("a", 1.0)]}, EVEN)
    assert fuse({"x": [("a", 1.0)], "y": [("b", 1.0)]}, {"x": 0.5, "y": 0.0}) == alone == [("a", 1)]


def test_equal_scores_have_one_order() -> None:
    fused = fuse({"x": [("b", 1.0)], "y": [("a", 1.0)]}, EVEN)
    assert [name for name, _ in fused] == ["a", "b"]


@given(SCORED, SCORED)
def test_nothing_is_lost_and_all_is_within_bounds(
    one: list[tuple[str, float]], other: list[tuple[str, float]]
) -> None:
    fused = fuse({"x": one, "y": other}, EVEN)
    assert fused == fuse({"y": other, "x": one}, EVEN)
    assert {name for name, _ in fused} == {name for name, _ in (*one, *other)}
    assert all(0 <= score <= 1 + 1e-9 for _, score in fused)


@given(SCORED)
def test_one_channel_alone_keeps_its_order(found: list[tuple[str, float]]) -> None:
    scores = dict(found)
    in_order = [scores[name] for name, _ in fuse({"x": found, "y": []}, EVEN)]
    assert in_order == sorted(in_order, reverse=True)
