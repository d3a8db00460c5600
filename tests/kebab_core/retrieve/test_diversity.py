"""Copies of copies are left out, and neighbours are one passage."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kebab_core.retrieve.diversity import COPIES, MOST_JOINED, distinct, joined
from kebab_core.store import Found
from kebab_core.text.terms import index_terms
from kebab_core.types import Hit
from tests.support.asking import hit

TEXT = "One line here.\nA second one follows.\nThe third ends it.\nAnd a fourth.\n"


def found(text: str) -> tuple[Found, float]:
    return Found(hit(text).chunk, 1.0, "hash", index_terms(text)), 1.0


def piece(start: int, end: int, *, text: str = TEXT, relevance: float = 0.5) -> Hit:
    """A hit of the characters `start` to `end` of a document."""
    whole = hit(text[start:end], relevance=relevance)
    before = text[:start].count("\n")
    chunk = replace(
        whole.chunk,
        chunk_id=f"{start}-{end}",
        start=start,
        end=end,
        line_start=1 + before,
        line_end=1 + text[:end].rstrip("\n").count("\n"),
    )
    return replace(whole, chunk=chunk)


def test_of_five_nearly_identical_two_are_shown() -> None:
    notice = "The notice period for all employees of the company is four weeks, in writing."
    copies = [notice, notice + " ", notice.upper(), notice.replace(",", ""), notice]
    other = "Backups run every night."
    shown = [item.chunk.text for item, _ in distinct([*map(found, copies), found(other)])]
    assert shown == [notice, notice + " ", other]
    assert COPIES == 2


def test_one_number_among_a_few_words_makes_a_difference() -> None:
    versions = [f"Notice is {weeks} weeks." for weeks in (2, 3, 4, 5)]
    assert len(list(distinct(map(found, versions)))) == 4


def test_neighbours_that_overlap_are_one_passage() -> None:
    first, second = piece(0, 36, relevance=0.4), piece(15, 56, relevance=0.9)
    (one,) = joined([second, first], 5)
    assert one.chunk.text == TEXT[0:56]
    assert (one.chunk.line_start, one.chunk.line_end) == (1, 3)
    assert one.chunk.chunk_id == second.chunk.chunk_id
    assert (one.rank, one.relevance) == (1, 0.9)


def test_what_does_not_touch_stays_apart() -> None:
    apart = [piece(0, 14), piece(37, 56)]
    assert [one.chunk.text for one in joined(apart, 5)] == [TEXT[0:14], TEXT[37:56]]
    other_page = replace(piece(10, 30), chunk=replace(piece(10, 30).chunk, page=2))
    assert len(joined([piece(0, 14), other_page], 5)) == 2


def test_a_passage_does_not_grow_without_end() -> None:
    pieces = [piece(n, n + 12) for n in range(0, 48, 6)]
    assert all(len(one.chunk.text) <= 12 * MOST_JOINED for one in joined(pieces, 9))


def test_the_places_of_joined_hits_go_to_those_after_them() -> None:
    hits = [piece(0, 20), piece(15, 36), hit("Elsewhere.", path="other.md")]
    assert [one.rank for one in joined(hits, 2)] == [1, 2]


SPANS = st.lists(
    st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 30)).map(
        lambda pair: (pair[0], min(len(TEXT), pair[0] + pair[1]))
    ),
    unique=True,
    max_size=8,
)


@given(SPANS)
def test_a_joined_text_is_what_stands_at_its_place(spans: list[tuple[int, int]]) -> None:
    for one in joined([piece(start, end) for start, end in spans], 20):
        assert one.chunk.text == TEXT[one.chunk.start : one.chunk.end]
