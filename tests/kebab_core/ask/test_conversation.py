"""Turns of a session: what is searched, what the model sees, what is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kebab_core.ask.run import AskRun
from kebab_core.errors import NotFound
from kebab_core.sessions import MemorySessions, SessionStore, SqliteSessions
from kebab_core.testing.model import Hang, Say, ScriptedModel
from kebab_core.testing.script import Turn
from kebab_core.types import AskOptions
from kebab_core.wire.answer import Answer
from tests.support.asking import Corpus, configured, deps

FIRST = "How long is parental leave?"


def ask(needs: Any, question: str, **options: Any) -> Answer:
    return AskRun(question, AskOptions(**options), needs).result(10)


def test_a_follow_up_leans_on_what_came_before(tmp_path: Path) -> None:
    corpus, sessions = Corpus(), MemorySessions()
    turns = [[Say("It is 26 weeks [1].")], [Say("Your manager does, see `a[0]` [2].")]]
    with ScriptedModel(turns) as model:
        needs = deps(configured(tmp_path, model), corpus, sessions)
        first = ask(needs, FIRST, origin="chat")
        session_id = first.conversation_id
        assert session_id is not None
        second = ask(needs, "Who decides it?", origin="chat", session_id=session_id)
        [_, request] = model.requests
    assert (first.turn_index, second.turn_index) == (0, 1)
    assert second.conversation_id == session_id
    assert FIRST in corpus.queries[1]
    assert "Who decides it?" in corpus.queries[1]
    roles = [message["role"] for message in request.messages]
    assert roles == ["system", "user", "assistant", "user"]
    assert request.messages[1]["content"] == FIRST
    assert request.messages[2]["content"] == "It is 26 weeks."
    assert request.messages[3]["content"].count("Who decides it?") == 1
    assert [turn.state for turn in sessions.get(session_id).turns or []] == ["answered"] * 2


def test_a_question_that_stands_alone_is_searched_alone(tmp_path: Path) -> None:
    corpus, sessions = Corpus(), MemorySessions()
    needs = deps(configured(tmp_path), corpus, sessions)
    first = ask(needs, FIRST, new_session=True)
    ask(needs, "When does annual leave lapse?", session_id=first.conversation_id)
    assert corpus.queries[1] == "When does annual leave lapse?"


def test_a_chain_of_leaning_questions_keeps_its_subject(tmp_path: Path) -> None:
    corpus, sessions = Corpus(), MemorySessions()
    needs = deps(configured(tmp_path), corpus, sessions)
    session_id = sessions.create("chat")
    for question in (FIRST, "Why?", "Who decides it?"):
        ask(needs, question, session_id=session_id)
    assert corpus.queries[2] == f"{FIRST} Why? Who decides it?"


def test_cancelled_and_failed_turns_leave_no_trace(tmp_path: Path) -> None:
    sessions = MemorySessions()
    turns: list[Turn] = [[Say("Half an"), Hang()], [Say("")], [Say("NOTFOUND")], [Say("So [1].")]]
    with ScriptedModel(turns) as model:
        needs = deps(configured(tmp_path, model), sessions=sessions)
        session_id = sessions.create("chat")
        run = AskRun("Cancelled?", AskOptions(session_id=session_id), needs)
        assert model.wait_requests()
        run.cancel()
        run.result(5)
        failing = AskRun("Failing?", AskOptions(session_id=session_id), needs)
        with pytest.raises(Exception, match="wrote nothing"):
            failing.result(5)
        ask(needs, "Abstained?", session_id=session_id)
        ask(needs, "Fine?", session_id=session_id)
        request = model.requests[-1]
    states = [turn.state for turn in sessions.get(session_id).turns or []]
    assert states == ["cancelled", "failed", "abstained", "answered"]
    assert [message["content"] for message in request.messages[1:-1]] == ["Abstained?", "NOTFOUND"]


@pytest.mark.parametrize(
    ("options", "listed", "index", "named"),
    [
        ({"origin": "chat"}, 1, 0, True),
        ({"origin": "cli"}, 0, 0, False),
        ({"origin": "cli", "new_session": True}, 1, 0, True),
        ({"origin": "chat", "save": False}, 0, None, False),
    ],
)
def test_what_makes_a_session(
    tmp_path: Path, options: dict[str, Any], listed: int, index: int | None, named: bool
) -> None:
    sessions = MemorySessions()
    answer = ask(deps(configured(tmp_path), sessions=sessions), FIRST, **options)
    assert len(sessions.list()) == listed
    assert answer.turn_index == index
    assert (answer.conversation_id is not None) is named


def test_without_keeping_history_is_read_all_the_same(tmp_path: Path) -> None:
    corpus, sessions = Corpus(), MemorySessions()
    needs = deps(configured(tmp_path), corpus, sessions)
    session_id = ask(needs, FIRST, new_session=True).conversation_id
    assert session_id is not None
    answer = ask(needs, "Who decides it?", session_id=session_id, save=False)
    assert FIRST in corpus.queries[1]
    assert answer.turn_index is None
    assert len(sessions.get(session_id).turns or []) == 1


@pytest.mark.parametrize("save", [True, False])
def test_an_unknown_session(tmp_path: Path, save: bool) -> None:
    corpus, sessions = Corpus(), MemorySessions()
    run = AskRun(
        FIRST,
        AskOptions(session_id="nope", save=save),
        deps(configured(tmp_path), corpus, sessions),
    )
    with pytest.raises(NotFound, match="nope"):
        list(run)
    assert corpus.queries == []


def test_old_one_offs_go(tmp_path: Path) -> None:
    sessions = MemorySessions()
    needs = deps(configured(tmp_path, None, {"sessions.keep_days": 0}), sessions=sessions)
    ask(needs, FIRST)
    ask(needs, FIRST)
    assert len(sessions.list(one_offs=True)) == 0


def unwritable(folder: Path) -> SqliteSessions:
    """A history that can't be made: a file stands where its folder should be."""
    (folder / "file").write_text("in the way")
    return SqliteSessions(folder / "file" / "sessions.sqlite3")


def test_a_history_that_cannot_be_written_costs_a_caveat(tmp_path: Path) -> None:
    answer = ask(deps(configured(tmp_path), sessions=unwritable(tmp_path)), FIRST, origin="chat")
    assert answer.grounded
    [caveat] = answer.caveats
    assert caveat.startswith("History can't be written:")
    assert answer.turn_index is None
    assert answer.conversation_id is None


def test_a_history_that_cannot_be_opened_costs_a_caveat(tmp_path: Path) -> None:
    def opened() -> SessionStore:
        store = unwritable(tmp_path)
        store.list()
        return store

    answer = ask(replace(deps(configured(tmp_path)), sessions=opened), FIRST)
    assert answer.grounded
    assert answer.caveats[0].startswith("History can't be written:")


def test_a_disk_that_fills_up_meanwhile_costs_a_caveat(tmp_path: Path) -> None:
    sessions = SqliteSessions(tmp_path / "sessions.sqlite3")

    def fill() -> None:
        with sessions._database.reading() as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages}")

    # The warning is kept with the answer: more than what is left of the last page.
    corpus = Corpus(before=fill, warnings=("x" * 20_000,))
    answer = ask(deps(configured(tmp_path), corpus, sessions), FIRST)
    assert answer.grounded
    assert answer.caveats[-1].startswith("History can't be written: The disk is full")
    sessions.close()


def test_an_unwritable_history_is_still_read(tmp_path: Path) -> None:
    corpus = Corpus()
    sessions = SqliteSessions(tmp_path / "sessions.sqlite3")
    needs = deps(configured(tmp_path), corpus, sessions)
    session_id = ask(needs, FIRST, new_session=True).conversation_id
    sessions._database._only_reads = True
    answer = ask(needs, "Who decides it?", session_id=session_id)
    assert FIRST in corpus.queries[1]
    assert answer.caveats[0].startswith("History can't be written:")
    assert answer.turn_index is None
    assert answer.conversation_id == session_id
    sessions.close()
