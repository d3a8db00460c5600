"""What is searched for when a question leans on the one before it, and when it doesn't."""

from __future__ import annotations

import pytest

from kebab_core.retrieve.follow_up import search_query
from kebab_core.retrieve.searching import MAX_QUERY_LENGTH

BEFORE = "How many weeks of parental leave do we get?"
BEFORE_KO = "육아휴직은 몇 주인가요?"


@pytest.mark.parametrize(
    "question",
    [
        "Why?",
        "How so?",
        "Who decides it?",
        "Who approves that?",
        "Can I split it with my partner?",
        "What about them?",
        "And on Windows?",
        "Tell me more.",
        "Can you give an example?",
        "Is this still true?",
    ],
)
def test_a_question_that_points_back_takes_the_one_before(question: str) -> None:
    assert search_query(question, BEFORE) == f"{BEFORE} {question}"


@pytest.mark.parametrize(
    "question",
    [
        "How long are backups kept?",
        "Who approves a purchase over 5,000?",
        "What does exit code 3 mean?",
        "Where is the Lisbon office?",
        "What is the capital of France?",
        "get_user_by_id",
    ],
)
def test_a_question_that_stands_alone_is_searched_alone(question: str) -> None:
    assert search_query(question, BEFORE) == question


@pytest.mark.parametrize(
    "question", ["그건 왜?", "왜요?", "누가 그것을 결정하나요?", "자세히 알려줘"]
)
def test_korean_points_back_too(question: str) -> None:
    assert search_query(question, BEFORE_KO) == f"{BEFORE_KO} {question}"


@pytest.mark.parametrize(
    "question", ["백업은 얼마나 보관되나요?", "리스본 사무실은 어디에 있나요?"]
)
def test_korean_stands_alone_too(question: str) -> None:
    assert search_query(question, BEFORE_KO) == question


@pytest.mark.parametrize("previous", [None, "", "  \n"])
def test_the_first_question_is_itself(previous: str | None) -> None:
    assert search_query("Why?", previous) == "Why?"


def test_the_earlier_text_is_cut_first() -> None:
    query = search_query("Why?", "x" * MAX_QUERY_LENGTH)
    assert len(query) == MAX_QUERY_LENGTH
    assert query.endswith(" Why?")
