"""Past turns become golden questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from kebab_core.errors import InvalidInput, NotFound
from kebab_core.evaluation.adding import append
from kebab_core.evaluation.golden import Golden, read
from kebab_core.evaluation.place import Place
from kebab_core.knowledge_base import KnowledgeBase
from kebab_core.types import AskOptions

NOTICE = "How long is the notice period?"
MOON = "What does the moon weigh?"


@pytest.fixture
def session(base: KnowledgeBase) -> str:
    """A turn that was answered, and one that found nothing."""
    session_id = base.sessions.create("chat")
    for question in (NOTICE, MOON):
        base.ask(question, AskOptions(session_id=session_id)).result(20)
    return session_id


def test_what_was_cited_is_right(base: KnowledgeBase, session: str) -> None:
    golden = base.golden_question(session, 0, answerable=True)
    assert golden.question == NOTICE
    assert golden.expected == (Place("hr/leave.md", 1, 1),)
    assert "four weeks" in (golden.reference or "")


def test_a_thumb_down_needs_to_hear_what_is_right(base: KnowledgeBase, session: str) -> None:
    base.sessions.rate(session, 0, -1)
    with pytest.raises(InvalidInput, match="Nothing says"):
        base.golden_question(session, 0, answerable=True)
    told = base.golden_question(session, 0, ["ops/backup.md#L1"], answerable=True)
    assert told.expected == (Place("ops/backup.md", 1, 1),)
    assert base.golden_question(session, 0, answerable=False).answerable is False


def test_nothing_found_is_right_with_a_thumb_up(base: KnowledgeBase, session: str) -> None:
    with pytest.raises(InvalidInput, match="no thumb"):
        base.golden_question(session, 1, answerable=True)
    base.sessions.rate(session, 1, 1)
    golden = base.golden_question(session, 1, answerable=True)
    assert golden == Golden(MOON, answerable=False, history=(NOTICE,))


def test_no_such_turn(base: KnowledgeBase, session: str) -> None:
    with pytest.raises(NotFound, match="has no turn 7; it has 2"):
        base.golden_question(session, 7, answerable=True)


def test_a_question_is_added_once(tmp_path: Path) -> None:
    file = tmp_path / "sets" / "golden.jsonl"
    first, second = Golden("One?"), Golden("Two?", answerable=False)
    assert append(file, first)
    file.write_text(file.read_text().rstrip("\n"), encoding="utf-8")
    assert append(file, second)
    assert not append(file, first)
    assert read(file) == [first, second]
    with pytest.raises(InvalidInput, match="YAML"):
        append(tmp_path / "golden.yaml", first)
