"""Which brackets are markers, and what becomes of them."""

from __future__ import annotations

import pytest

from kebab_core.ask.stream.markers import Marker, MarkerCheck, without_markers


def check(text: str, known: tuple[int, ...] = (1, 2, 3)) -> tuple[str, list[Marker]]:
    checker = MarkerCheck(known)
    out = "".join([checker.feed(char) for char in text]) + checker.end()
    return out, checker.markers


@pytest.mark.parametrize(
    ("text", "out", "numbers"),
    [
        ("A [1].", "A [1].", [1]),
        ("A [1, 9].", "A [1].", [1]),
        ("A [1, 2].", "A [1][2].", [1, 2]),
        ("A [1,2,1].", "A [1][2].", [1, 2]),
        ("A [1-3].", "A [1][2][3].", [1, 2, 3]),
        ("A [1 - 2, 3]", "A [1][2][3]", [1, 2, 3]),
        ("A [3-1]", "A [1][2][3]", [1, 2, 3]),
        ("A [2-99]", "A [2][3]", [2, 3]),
        ("A [1][2]", "A [1][2]", [1, 2]),
        ("retries[1]", "retries[1]", [1]),
        ("A [01]", "A [1]", [1]),
        ("［1］입니다", "[1]입니다", [1]),
        ("是【１，２】。", "是[1][2]。", [1, 2]),
        ("A [9].", "A.", []),
        ("A [9][1].", "A[1].", [1]),
        ("A [9] and", "A and", []),
        ("A [9]and", "A and", []),
        ("[9] A", "A", []),
        ("A\n[9] B", "A\nB", []),
        ("입니다[9].", "입니다.", []),
        ("是【9】。", "是。", []),
        ("[1] A", "[1] A", [1]),
        ("A [1", "A [1", []),
        ("A [", "A [", []),
        ("A [9", "A [9", []),
        ("[[1]]", "[[1]]", [1]),
    ],
)
def test_markers(text: str, out: str, numbers: list[int]) -> None:
    found, markers = check(text)
    assert found == out
    assert [marker.n for marker in markers] == numbers
    assert all(found.startswith(f"[{marker.n}]", marker.offset) for marker in markers)


@pytest.mark.parametrize(
    "text",
    [
        "items[9]",
        "x_[9] = y",
        "[1](url)",
        "[9](url)",
        "[1-3](url)",
        "![1](image.png)",
        "- [ ] to do",
        "- [x] done",
        "[]",
        "[-]",
        "[^1]",
        "[1a]",
        "`[1]`",
        "`a[9]` and `[1, 9]`",
        "``a ` [9]``",
        "```\n[1] [9]\n```",
        "```py\nx = [1, 9]\n",
        "~~~\n[9]\n~~~",
        "- ```\n  [9]\n  ```",
        "[1, 2, 3, 4, 5, 6]",
        "[1,\n2]",
        "【注意】",
        "see  two  spaces",
    ],
)
def test_text_is_left_alone(text: str) -> None:
    assert check(text) == (text, [])


def test_a_single_known_marker_does_not_wait() -> None:
    checker = MarkerCheck((1,))
    assert checker.feed("A [") == "A"
    assert checker.feed("1]") == " [1]"


def test_after_code_markers_count_again() -> None:
    out, markers = check("`x` [1]\n```\n[2]\n```\n[3]")
    assert out == "`x` [1]\n```\n[2]\n```\n[3]"
    assert [marker.n for marker in markers] == [1, 3]


def test_a_stray_backtick_ends_with_its_line() -> None:
    out, markers = check("the ` key [1]\nand [2]")
    assert out == "the ` key [1]\nand [2]"
    assert [marker.n for marker in markers] == [2]


def test_backticks_on_a_fences_own_line_are_a_span() -> None:
    assert check("```x``` [1]")[1] == [Marker(1, 8)]


def test_the_code_of_an_earlier_answer_keeps_its_brackets() -> None:
    assert without_markers("26 weeks [1][2], not 30[3]. Use `a[0]`.") == (
        "26 weeks, not 30. Use `a[0]`."
    )
