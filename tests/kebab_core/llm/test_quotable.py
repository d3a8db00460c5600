from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from kebab_core.llm.quotable import MAX_CODE_LINES, Quotable, clean, quotables

Passage = Callable[..., Any]


def texts(pieces: list[Quotable]) -> list[str]:
    return [piece.text for piece in pieces]


GUIDE = """## Install

To **install** it, see [the docs](http://x.example "t") or run[^3]:

```sh
  pip install kebab
    more
```

Some text `items[1]` and [2] was cited. A second
line goes on.

| Plan | Price |
|------|-------|
| Pro  | 10 EUR |
| Team |  |

- Annual leave: 25 days
1. First step

> Quoted words here.

Options
-------

It has none.
"""


def test_markdown_is_cut_into_what_can_be_quoted(passage: Passage) -> None:
    pieces = quotables([passage(GUIDE)])
    assert [(piece.kind, piece.text, piece.heading, piece.under) for piece in pieces] == [
        ("sentence", "To install it, see the docs or run:", "Install", 0),
        ("code", "pip install kebab\n  more", "Install", 1),
        ("sentence", "Some text `items[1]` and was cited.", "Install", 2),
        ("sentence", "A second line goes on.", "Install", 3),
        ("row", "Plan: Pro; Price: 10 EUR", "Install", 4),
        ("row", "Plan: Team", "Install", 5),
        ("item", "Annual leave: 25 days", "Install", 6),
        ("item", "First step", "Install", 7),
        ("sentence", "Quoted words here.", "Install", 8),
        ("sentence", "It has none.", "Options", 0),
    ]
    assert pieces[1].code_lang == "sh"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("as shown in [3], and [1, 2] or [4-6]", "as shown in, and or"),
        ("see 【12】 and [^note] too", "see and too"),
        ("array[1] and `array[1]`", "array and `array[1]`"),
        ("![logo](a.png)A [link](u) and [ref][r]", "A link and ref"),
        ("**bold** and __strong__ and *it* and **half", "bold and strong and it and half"),
        ("snake_case __init__ 2*3*4 a * b", "snake_case init 2*3*4 a * b"),
        ("a <b>tag</b><br/> and <!-- note --> x < y", "a tag and x < y"),
        ("one ` stray tick", "one ' stray tick"),
        ("``a ` b`` and `c`", "``a ` b`` and `c`"),
        ("two\nlines", "two lines"),
        ("日本語の\n文です。", "日本語の文です。"),
        ("\x1b[31mred", "␛[31mred"),
    ],
)
def test_marks_that_mislead_alone_are_taken_out(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


def test_source_code_is_quoted_by_its_blocks(passage: Passage) -> None:
    source = "def f():\n    return 1\n\n\n    def g():\n        pass\n"
    [first, second] = quotables([passage(source, media="code", code_lang="python")])
    assert (first.text, second.text) == ("def f():\n    return 1", "def g():\n    pass")
    assert {first.kind, second.kind} == {"code"}
    assert first.code_lang == "python"


def test_long_code_is_cut_and_says_so(passage: Passage) -> None:
    source = "\n".join(f"line {i}" for i in range(100))
    [piece] = quotables([passage(source, media="code")])
    assert len(piece.text.split("\n")) == MAX_CODE_LINES
    assert piece.text.endswith("…")


def test_pieces_come_in_reading_order_and_once(passage: Passage) -> None:
    later = passage("Second one. Third one.", n=1, doc="a", start=100)
    other = passage("Elsewhere.", n=2, doc="b")
    earlier = passage("First one. Second one.", n=3, doc="a", start=0)
    pieces = quotables([later, other, earlier])
    assert [(piece.n, piece.text) for piece in pieces] == [
        (3, "First one."),
        (3, "Second one."),
        (1, "Third one."),
        (2, "Elsewhere."),
    ]


def test_a_sentence_that_lost_its_beginning_is_known(passage: Passage) -> None:
    torn = quotables([passage("and then it stops. It starts again.", start=50)])
    assert [piece.whole for piece in torn] == [False, True]
    assert quotables([passage("iPhones work too.", start=0)])[0].whole


def test_what_runs_on_without_an_end_is_no_sentence(passage: Passage) -> None:
    assert texts(quotables([passage("word " * 400 + ". Short one.")])) == ["Short one."]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "---", "# Only a heading", "```\n```", "| a |\n|---|"]
)
def test_passages_without_words_have_no_pieces(text: str, passage: Passage) -> None:
    assert quotables([passage(text)]) == []
