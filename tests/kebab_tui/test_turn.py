from __future__ import annotations

from kebab_core.api import Error, ToolFinished, ToolStarted, search_hit
from kebab_tui.conversation import Conversation
from kebab_tui.turn import Phase, Request, TurnRecord, restore
from tests.kebab_tui.stage import LISBON, PARENTAL, PARTNER, handbook


def test_a_turn_goes_through_its_phases() -> None:
    base = handbook()
    turn = TurnRecord(Request(PARENTAL))
    phases = [turn.phase]
    turn.start(10.0)
    phases.append(turn.phase)
    turn.retrieved([search_hit(base.hit("hr/faq.md", 5).numbered(1))], 10.2)
    assert [(step.what, step.state, step.detail) for step in turn.steps] == [
        ("search", "done", "1 passage, 0.2 s"),
        ("write", "running", ""),
    ]
    phases.append(turn.phase)
    turn.tool_started(ToolStarted("a", "open", "hr/faq.md"), 10.3)
    phases.append(turn.phase)
    more = search_hit(base.hit("offices/lisbon.md", 5).numbered(2))
    turn.tool_finished(ToolFinished("a", "open", "hr/faq.md", ms=1500), [more], 11.8)
    assert turn.steps[1].detail == "1 passage, 1.5 s"
    assert [hit.n for hit in turn.hits] == [1, 2]
    assert turn.wrote("Yes [2].", 2) == {2}
    assert turn.cited == {2}
    turn.failed(Error(code="model_interrupted", message="Cut.", hint=None), 12.0)
    phases.append(turn.phase)
    assert [phase.value for phase in phases] == [
        "waiting",
        "searching",
        "writing",
        "searching",
        "failed",
    ]
    assert turn.steps[-1].detail == "stopped after 2 tokens"
    assert turn.took(99.0) == 2.0


def test_a_passage_keeps_its_number_when_it_is_read_in_full() -> None:
    base = handbook()
    turn = TurnRecord(Request(PARENTAL))
    turn.start(0.0)
    turn.retrieved([search_hit(base.hit("hr/faq.md", 5).numbered(1))], 0.1)
    whole = search_hit(base.hit("hr/faq.md", 1, 5).numbered(1))
    turn.tool_started(ToolStarted("a", "fetch", "x"), 0.2)
    turn.tool_finished(ToolFinished("a", "fetch", "x"), [whole], 0.3)
    assert turn.hits == [whole]


def test_two_turns_with_the_same_question_are_two() -> None:
    conversation = Conversation()
    first, second = (conversation.add(Request(PARENTAL)) for _ in range(2))
    assert conversation.next(0.0) is first
    assert conversation.next(0.0) is None
    assert conversation.take_back() is second
    assert conversation.turns == [first]
    assert conversation.take_back() is None


def test_a_stored_turn_comes_back_with_its_evidence() -> None:
    base = handbook()
    for question in (PARENTAL, LISBON):
        run = base.ask(question)
        assert list(run)
    stored = [
        base.sessions.get(one.session_id).turns or [] for one in base.sessions.list(one_offs=True)
    ]
    records = {turn.question: restore(turn) for turns in stored for turn in turns}
    answered, abstained = records[PARENTAL], records[LISBON]
    assert answered.phase is Phase.ANSWERED
    assert answered.cited == {1, 2}
    assert [hit.n for hit in answered.hits] == [1, 2, 3, 4, 5]
    assert answered.took(99.0) == 3.1
    assert abstained.phase is Phase.ABSTAINED


def test_the_history_holds_no_question_twice_in_a_row() -> None:
    conversation = Conversation()
    for question in (PARENTAL, PARENTAL, PARTNER, PARENTAL):
        conversation.add(Request(question))
    assert conversation.questions == [PARENTAL, PARTNER, PARENTAL]
    assert conversation.title == PARENTAL
