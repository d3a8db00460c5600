from __future__ import annotations

from kebab_core.ingest.lines import Lines, line_spans

MIXED = "one\ntwo\r\nthree\rfour\u2028still four\x0c\x85\n\nsix"


def test_only_three_signs_end_a_line() -> None:
    lines = Lines(MIXED)
    words = {
        word: lines.number(MIXED.index(word)) for word in ("one", "two", "three", "four", "six")
    }
    assert words == {"one": 1, "two": 2, "three": 3, "four": 4, "six": 6}
    assert lines.number(MIXED.index("still")) == 4


def test_a_carriage_return_and_its_newline_are_of_the_line_they_end() -> None:
    lines = Lines("a\r\nb")
    assert [lines.number(i) for i in range(4)] == [1, 1, 1, 2]


def test_spans_leave_out_the_line_ends() -> None:
    assert [MIXED[a:b] for a, b in line_spans(MIXED)] == [
        "one", "two", "three", "four\u2028still four\x0c\x85", "", "six",
    ]  # fmt: skip
    assert line_spans("a\n") == [(0, 1)]
    assert line_spans("") == []
