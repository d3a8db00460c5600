from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.llm.base import TextDelta, ThinkingDelta
from kebab_core.llm.thinking import ThinkingSplitter


def split(*parts: str) -> tuple[str, str]:
    """Joined prose and joined reasoning."""
    splitter = ThinkingSplitter()
    deltas = [delta for part in parts for delta in splitter.feed(part)] + splitter.close()
    assert all(delta.text for delta in deltas)
    prose = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    thought = "".join(delta.text for delta in deltas if isinstance(delta, ThinkingDelta))
    return prose, thought


@pytest.mark.parametrize(
    ("text", "prose", "thought"),
    [
        ("Every night.", "Every night.", ""),
        ("<think>Hm, [2]?</think>\n\nEvery night [1].", "Every night [1].", "Hm, [2]?"),
        ("<thinking>Hm.</thinking>Yes.", "Yes.", "Hm."),
        ("\n <think>\na</think>b<think>c</think>d", "bd", "\nac"),
        ("<think>never closed", "", "never closed"),
        ("<think></think>ok", "ok", ""),
        ("a < b and <b>bold</b> <thin", "a < b and <b>bold</b> <thin", ""),
        ("<think>a</thinking></think>b", "b", "a</thinking>"),
        ("It writes `<think>` first.", "It writes `<think>` first.", ""),
        ("``a ` <think>`` <think>x</think>.", "``a ` <think>`` .", "x"),
        ("```\n<think>\n```\n<think>x</think>y", "```\n<think>\n```\ny", "x"),
        ("````md\n```\n<think>\n````\nz", "````md\n```\n<think>\n````\nz", ""),
        ("```one``` <think>x</think>", "```one``` ", "x"),
        ("A stray ` here.\n\n<think>x</think>y", "A stray ` here.\n\ny", "x"),
        ("<THINK>loud</THINK>", "<THINK>loud</THINK>", ""),
        ("   ", "", ""),
    ],
)
def test_reasoning_is_taken_out_of_the_prose(text: str, prose: str, thought: str) -> None:
    assert split(text) == (prose, thought)
    assert split(*text) == (prose, thought)
    for at in range(len(text)):
        assert split(text[:at], text[at:]) == (prose, thought)


def test_only_what_could_become_a_tag_is_held_back() -> None:
    splitter = ThinkingSplitter()
    assert splitter.feed("Run <") == [TextDelta("Run ")]
    assert splitter.feed("thi") == []
    assert splitter.feed("s> now") == [TextDelta("<this> now")]
    assert splitter.feed("<think>so</th") == [ThinkingDelta("so")]
    assert splitter.feed("is") == [ThinkingDelta("</this")]


PIECES = [
    "<think>",
    "</think>",
    "<thinking>",
    "</thinking>",
    "<",
    "`",
    "```",
    "\n",
    "\n\n",
    " ",
    "a",
    "가",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.lists(st.integers(0, 120), max_size=20))
def test_however_it_is_cut_prose_and_reasoning_are_the_same(
    pieces: list[str], cuts: list[int]
) -> None:
    text = "".join(pieces)
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    parts = [text[a:b] for a, b in pairwise(places)]
    assert split(*parts) == split(text)


@given(st.text(st.characters(exclude_characters="<`"), max_size=60))
def test_text_without_tags_passes_unchanged(text: str) -> None:
    assert split(*text) == (text.lstrip(), "")
