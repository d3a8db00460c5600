"""What repeats a question, and which of its words are told."""

from __future__ import annotations

import pytest

from kebab_server.contract.words import key_terms, repeats

QUESTION = "How long is the notice period?"


@pytest.mark.parametrize(
    ("text", "is_repeated"),
    [
        ("How long is the notice period?", True),
        ("please: HOW LONG is the notice  period, thanks", True),
        ("the notice period", False),
        ("How long is the notice periodical", False),
        ("", False),
    ],
)
def test_repeats(text: str, is_repeated: bool) -> None:
    assert repeats(text, QUESTION) is is_repeated


def test_a_one_word_question_is_in_every_text_that_has_the_word() -> None:
    assert repeats("the notice period", "Notice?")
    assert not repeats("noticeable", "Notice?")


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        (QUESTION, ["long", "notice", "period"]),
        ("Notice, notice and NOTICE of leave?", ["Notice", "leave"]),
        ("비밀번호를 어떻게 바꾸나요?", ["비밀번호를", "어떻게", "바꾸나요"]),
    ],
)
def test_key_terms(question: str, terms: list[str]) -> None:
    assert key_terms(question) == terms


def test_a_script_without_spaces_is_not_told_as_one_run() -> None:
    question = "如何更改密码"
    terms = key_terms(question)
    assert terms
    assert question not in terms


def test_not_more_than_a_dozen() -> None:
    assert len(key_terms(" ".join(f"word{n}" for n in range(40)))) == 12
