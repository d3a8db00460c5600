"""The sentence that a claim rests on."""

from __future__ import annotations

import pytest

from kebab_core.ask import quotes
from kebab_core.ask.stream.markers import MarkerCheck

PASSAGE = (
    "# Leave\n\nParental leave is 26 weeks at full pay, in up to three blocks.\n"
    "Notice is eight weeks, in writing. Contractors aren't eligible."
)


def claims(prose: str) -> dict[int, str]:
    check = MarkerCheck(range(1, 10))
    text = check.feed(prose) + check.end()
    return quotes.claims(text, check.markers)


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        ("It is so [1]. Or so [2].", {1: "It is so [1].", 2: "Or so [2]."}),
        ("It is so. [1] Or so. [2]", {1: "It is so.", 2: "[1] Or so."}),
        ("It is so. [1][2] Or so.", {1: "It is so.", 2: "It is so."}),
        ("A [1]. B [2]. C [1].", {1: "A [1]. C [1].", 2: "B [2]."}),
        ("- one [1]\n- two [2]", {1: "one [1]", 2: "two [2]"}),
        ("26주입니다 [1]. 서면으로 합니다[2].", {1: "26주입니다 [1].", 2: "서면으로 합니다[2]."}),
        ("[1]", {1: "[1]"}),
    ],
)
def test_claims(prose: str, found: dict[int, str]) -> None:
    assert claims(prose) == found


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("You get 26 weeks.", "Parental leave is 26 weeks at full pay, in up to three blocks."),
        ("Write eight weeks ahead.", "Notice is eight weeks, in writing."),
        ("Not for contractors.", "Contractors aren't eligible."),
    ],
)
def test_the_best_sentence(claim: str, quote: str) -> None:
    assert quotes.best(PASSAGE, claim, "") == quote
    assert quote in PASSAGE


def test_another_language_falls_back_on_the_question() -> None:
    quote = quotes.best(PASSAGE, "26주 유급입니다", "How long is the notice?")
    assert quote == "Parental leave is 26 weeks at full pay, in up to three blocks."
    assert quotes.best(PASSAGE, "서면으로", "How is notice given?") == (
        "Notice is eight weeks, in writing."
    )
    assert quotes.best(PASSAGE, "서면으로", "얼마나?") is None
    assert quotes.best("", "a", "b") is None
