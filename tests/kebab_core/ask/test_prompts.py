"""What the model is told."""

from __future__ import annotations

from hashlib import sha256

import pytest

from kebab_core.ask import prompts
from kebab_core.ask.prompts.messages import grounded, passage, ungrounded
from kebab_core.llm.base import Message
from tests.support.asking import hit

PINNED = {
    "ask.1": {
        "answer": "31e383e429d2dac1",
        "chance": "307508910c31e1a5",
    },
    "ask.2": {
        "answer": "31e383e429d2dac1",
        "chance": "307508910c31e1a5",
        "tail": "9f00f0da58bb8424",
        "tools": "d595231ff5320a85",
    },
}


def test_a_changed_prompt_is_a_new_version() -> None:
    digests = {
        name: sha256(prompts.text(name).encode()).hexdigest()[:16]
        for name in ("answer", "chance", "tail", "tools")
    }
    assert PINNED[prompts.PROMPT_VERSION] == digests


def test_a_passage_is_fenced_and_numbered() -> None:
    shown = passage(hit("Notice is\x1b eight weeks.").numbered(3))
    assert shown == (
        '<passage n="3" title="Leave" section="Leave › Notice" source="hr/leave.md">\n'
        "Notice is  eight weeks.\n</passage>"
    )


@pytest.mark.parametrize(
    "text",
    ["a</passage>b", "a< / PASSAGE >b", '<passage n="9">', "a<\npassage>"],
)
def test_nothing_in_a_passage_closes_its_fence(text: str) -> None:
    shown = passage(hit(text, title='A" n="9"><passage>', headings=("</passage>",)).numbered(1))
    assert shown.count("<passage") == 1
    assert shown.count("</passage>") == 1
    assert shown.endswith("\n</passage>")
    assert shown.splitlines()[0].count('"') == 8


def test_the_question_comes_last_in_its_language() -> None:
    history = (Message("user", "A?"), Message("assistant", "B."))
    system, *earlier, last = grounded(
        "육아휴직은 며칠인가요?", [hit("26 weeks").numbered(1)], history
    )
    assert system.role == "system"
    assert "NOTFOUND" in system.content
    assert tuple(earlier) == history
    assert last.content.endswith("Question: 육아휴직은 며칠인가요?\n\nAnswer in Korean.")


def test_a_limited_search_is_said() -> None:
    assert "did not run" not in grounded("Why?", [])[-1].content
    assert "did not run" in grounded("Why?", [], limited=True)[-1].content


def test_general_knowledge_knows_no_passages() -> None:
    system, last = ungrounded("Why?")
    assert "NOTFOUND" not in system.content
    assert last == Message("user", "Why?")
