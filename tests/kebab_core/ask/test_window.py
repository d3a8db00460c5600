"""A prompt never exceeds the model's window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.ask import history
from kebab_core.ask.window import fit
from kebab_core.llm.tokens import estimate_messages
from kebab_core.types import HistoryTurn
from tests.support.asking import hit

HITS = [hit(f"Passage {n} " + "word " * 120, rank=n).numbered(n) for n in range(1, 9)]
TURNS = [HistoryTurn(f"Question {n}?", "answer " * 200, "answered") for n in range(12)]


def test_without_a_limit_all_goes_in() -> None:
    fitted = fit("Why?", HITS, TURNS, window=None, max_tokens=4000)
    assert (fitted.hits, fitted.left_out, fitted.max_tokens) == (tuple(HITS), 0, 4000)


@pytest.mark.parametrize("window", [1500, 2048, 4096, 8192, 32_768])
def test_prompt_and_answer_fit(window: int) -> None:
    fitted = fit("Why?", HITS, TURNS, window=window, max_tokens=4000)
    assert estimate_messages(fitted.messages) + fitted.max_tokens <= window
    assert fitted.hits == tuple(HITS[: len(fitted.hits)])
    assert len(fitted.hits) + fitted.left_out == len(HITS)
    assert fitted.max_tokens >= 256


def test_passages_come_before_history() -> None:
    fitted = fit("Why?", HITS, TURNS, window=4096, max_tokens=4000)
    assert fitted.left_out == 0
    kept = [message for message in fitted.messages if message.content.startswith("Question")]
    assert 0 < len(kept) < history.MAX_TURNS
    assert kept[-1].content == "Question 11?"


def test_one_passage_always_stays() -> None:
    fitted = fit("Why?", [hit("word " * 3000)], (), window=1024, max_tokens=500)
    assert len(fitted.hits) == 1


@given(st.integers(1000, 20_000), st.integers(0, 8), st.integers(0, 12), st.integers(1, 8000))
def test_a_bigger_window_never_holds_less(window: int, hits: int, turns: int, cap: int) -> None:
    small = fit("Why?", HITS[:hits], TURNS[:turns], window=window, max_tokens=cap)
    large = fit("Why?", HITS[:hits], TURNS[:turns], window=2 * window, max_tokens=cap)
    assert len(small.hits) <= len(large.hits)
    assert small.max_tokens <= cap


def test_history_keeps_whole_turns_the_newest_first() -> None:
    messages = history.messages(TURNS)
    questions = [message.content for message in messages if message.role == "user"]
    assert questions == [f"Question {n}?" for n in range(4, 12)]
    assert estimate_messages(messages) <= history.MAX_TOKENS
    assert history.messages(TURNS, 10) == ()


def test_history_has_no_markers_and_no_gaps() -> None:
    turns = [
        HistoryTurn("A?", "Yes [1], `a[0]`.", "answered"),
        HistoryTurn("B?", None, "abstained"),
        HistoryTurn("C?", None, "cancelled"),
        HistoryTurn("D?", None, "failed"),
    ]
    assert [one.content for one in history.messages(history.visible(turns))] == [
        "A?",
        "Yes, `a[0]`.",
        "B?",
        "NOTFOUND",
    ]
