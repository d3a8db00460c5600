from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kebab_tui.marks import Marks

PROSE = "Both [1] and [12][3], not [4](https://example.com), nor items[x], then [1] again."


def test_numbers_are_told_when_their_marker_closes() -> None:
    marks = Marks()
    assert marks.read("Yes [1") == set()
    assert marks.read("]. And [") == {1}
    assert marks.read("2][3]") == {2, 3}
    assert marks.read(" [1]") == set()
    assert marks.cited == {1, 2, 3}


@given(st.lists(st.integers(0, len(PROSE)), max_size=8))
def test_cuts_change_nothing_but_a_link_that_is_cut(places: list[int]) -> None:
    cuts = [0, *sorted(places), len(PROSE)]
    marks = Marks()
    for start, end in pairwise(cuts):
        marks.read(PROSE[start:end])
    # `[4]` is a link only when its bracket and parenthesis come together.
    assert marks.cited - {4} == {1, 3, 12}
