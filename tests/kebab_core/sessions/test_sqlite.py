"""What every session store does, on disk and in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kebab_core.errors import InvalidInput, NotFound
from kebab_core.sessions import BegunTurn, MemorySessions, SessionStore, SqliteSessions
from kebab_core.sessions.rows import aborted, now
from kebab_core.text.identity import text_hash
from kebab_core.types import TurnState
from kebab_core.wire.answer import Answer
from kebab_core.wire.error import Error
from tests.support.asking import LEAVE


@pytest.fixture(params=["disk", "memory"])
def sessions(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SessionStore]:
    store: SessionStore = (
        SqliteSessions(tmp_path / "deep" / "sessions.sqlite3")
        if request.param == "disk"
        else MemorySessions()
    )
    yield store
    store.close()


def answer(text: str) -> Answer:
    return aborted(now()).model_copy(update={"answer": text, "caveats": []})


def ask(
    store: SessionStore,
    session_id: str | None,
    question: str,
    said: str = "Yes.",
    state: TurnState = "answered",
) -> BegunTurn:
    begun = store.begin_turn(session_id, question, "chat")
    store.finish_turn(begun, state=state, answer=answer(said), error=None, hits=())
    return begun


def test_it_is_a_session_store(sessions: SessionStore) -> None:
    assert isinstance(sessions, SessionStore)


def test_a_turn_with_its_evidence_comes_back_as_it_was(sessions: SessionStore) -> None:
    session_id = sessions.create("chat")
    begun = sessions.begin_turn(session_id, "How long is the notice?", "chat")
    hits = [hit.numbered(n) for n, hit in enumerate(LEAVE, 1)]
    kept = answer("Eight weeks [1].")
    sessions.finish_turn(begun, state="answered", answer=kept, error=None, hits=hits)
    session = sessions.get(session_id)
    assert session.turns is not None
    [turn] = session.turns
    assert (turn.turn_index, turn.question, turn.state) == (
        0,
        "How long is the notice?",
        "answered",
    )
    assert turn.answer is not None
    assert turn.answer.to_line() == kept.to_line()
    assert [item.n for item in turn.evidence] == [1, 2, 3]
    assert turn.evidence[0].hit.snippet_full_text == LEAVE[0].chunk.text
    assert turn.evidence[0].content_hash == text_hash(LEAVE[0].chunk.text)
    assert session.turn_count == 1


def test_a_failed_turn_keeps_its_error(sessions: SessionStore) -> None:
    begun = sessions.begin_turn(None, "Why?", "cli")
    error = Error(code="model_unreachable", message="Nothing listens.", hint="Start it.")
    sessions.finish_turn(begun, state="failed", answer=None, error=error, hits=())
    [turn] = sessions.get(begun.session_id).turns or []
    assert (turn.state, turn.answer, turn.error) == ("failed", None, error)


def test_turns_are_numbered_in_their_session(sessions: SessionStore) -> None:
    one, other = sessions.create("chat"), sessions.create("chat")
    assert [ask(sessions, one, f"{i}?").turn_index for i in range(3)] == [0, 1, 2]
    assert ask(sessions, other, "?").turn_index == 0


def test_the_first_question_gives_the_title(sessions: SessionStore) -> None:
    session_id = sessions.create("chat")
    long = "How many weeks of  parental\nleave do we get, and does it matter where one works?"
    ask(sessions, session_id, long)
    ask(sessions, session_id, "And then?")
    title = sessions.get(session_id).title
    assert title == "How many weeks of parental leave do we get, and does it…"
    assert len(title) <= 60


def test_a_title_can_be_given_and_changed(sessions: SessionStore) -> None:
    session_id = sessions.create("chat", "Leave")
    ask(sessions, session_id, "How long?")
    assert sessions.get(session_id).title == "Leave"
    sessions.rename(session_id, " Parental\nleave\x1b ")
    assert sessions.get(session_id).title == "Parental leave␛"
    with pytest.raises(InvalidInput):
        sessions.rename(session_id, "  ")


def test_history_is_what_came_before(sessions: SessionStore) -> None:
    session_id = sessions.create("chat")
    ask(sessions, session_id, "A?", "Aa.")
    ask(sessions, session_id, "B?", "sorry", "abstained")
    ask(sessions, session_id, "C?", "Cc", "cancelled")
    sessions.begin_turn(session_id, "running", "chat")
    found = sessions.history(session_id, 99)
    assert [(turn.question, turn.answer, turn.state) for turn in found] == [
        ("A?", "Aa.", "answered"),
        ("B?", None, "abstained"),
        ("C?", None, "cancelled"),
    ]
    assert [turn.question for turn in sessions.history(session_id, 1)] == ["A?"]


def test_one_offs_stay_out_of_the_list_until_gone_on_with(sessions: SessionStore) -> None:
    session_id = sessions.create("chat")
    ask(sessions, session_id, "In a session?")
    one_off = ask(sessions, None, "Alone?").session_id
    assert [item.session_id for item in sessions.list()] == [session_id]
    listed = sessions.list(one_offs=True)
    assert [item.session_id for item in listed] == [one_off, session_id]
    assert listed[0].turns is None
    assert ask(sessions, one_off, "And then?").turn_index == 1
    assert [item.session_id for item in sessions.list()] == [one_off, session_id]


def test_lists_are_limited_and_by_origin(sessions: SessionStore) -> None:
    made = [sessions.create("chat", str(i)) for i in range(3)]
    over_http = sessions.create("http", "http")
    assert [item.session_id for item in sessions.list(2)] == [over_http, made[2]]
    assert [item.session_id for item in sessions.list(origin="chat")] == made[::-1]


def test_the_last_session_of_a_person(sessions: SessionStore) -> None:
    assert sessions.last() is None
    chat = sessions.create("chat")
    ask(sessions, chat, "?")
    sessions.create("http")
    ask(sessions, None, "one-off")
    assert sessions.last() == chat


def test_search_reads_titles_questions_and_answers(sessions: SessionStore) -> None:
    one = sessions.create("chat")
    ask(sessions, one, "Wie lange ist die KÜNDIGUNGSFRIST?", "Acht Wochen.")
    other = sessions.create("chat", "Urlaub")
    ask(sessions, other, "휴가는 며칠인가요?", "30일입니다.")
    ask(sessions, None, "one-off Wochen")

    def found(text: str) -> list[str]:
        return [item.session_id for item in sessions.search(text)]

    assert found("kündigungsfrist") == [one]
    assert found("wochen frist") == [one]
    assert found("urlaub 휴가") == [other]
    assert found("30일") == [other]
    assert found("wochen urlaub") == []
    assert found("") == [other, one]
    assert sessions.search("휴가")[0].turn_count == 1
    assert len(sessions.search("", limit=1)) == 1


def test_ratings(sessions: SessionStore) -> None:
    begun = ask(sessions, None, "?")
    sessions.rate(begun.session_id, 0, -1)
    assert (sessions.get(begun.session_id).turns or [])[0].rating == -1
    sessions.rate(begun.session_id, 0, None)
    assert (sessions.get(begun.session_id).turns or [])[0].rating is None
    with pytest.raises(InvalidInput):
        sessions.rate(begun.session_id, 0, 5)
    with pytest.raises(NotFound):
        sessions.rate(begun.session_id, 7, 1)


def test_what_is_not_there_is_not_found(sessions: SessionStore) -> None:
    with pytest.raises(NotFound, match="nope"):
        sessions.get("nope")
    with pytest.raises(NotFound):
        sessions.delete("nope")
    with pytest.raises(NotFound):
        sessions.rename("nope", "x")
    with pytest.raises(NotFound):
        sessions.begin_turn("nope", "?", "cli")
    with pytest.raises(NotFound):
        sessions.history("nope", 1)


def test_deleting_takes_everything_along(sessions: SessionStore) -> None:
    begun = sessions.begin_turn(sessions.create("chat"), "?", "chat")
    sessions.finish_turn(begun, state="answered", answer=None, error=None, hits=LEAVE)
    sessions.delete(begun.session_id)
    assert sessions.list() == []
    again = sessions.begin_turn(None, "?", "chat")
    with pytest.raises(NotFound, match="deleted"):
        sessions.finish_turn(begun, state="answered", answer=None, error=None, hits=LEAVE)
    assert (sessions.get(again.session_id).turns or [])[0].evidence == []


def test_a_discarded_turn_leaves_nothing(sessions: SessionStore) -> None:
    one_off = sessions.begin_turn(None, "?", "cli")
    sessions.discard_turn(one_off)
    assert sessions.list(one_offs=True) == []
    session_id = sessions.create("chat")
    sessions.discard_turn(sessions.begin_turn(session_id, "?", "chat"))
    assert sessions.get(session_id).turns == []


def test_old_one_offs_are_purged(sessions: SessionStore) -> None:
    session_id = sessions.create("chat")
    ask(sessions, session_id, "kept")
    ask(sessions, None, "gone")
    running = sessions.begin_turn(None, "running", "cli")
    assert sessions.purge_one_offs(30) == 0
    assert sessions.purge_one_offs(0) == 1
    left = {item.session_id for item in sessions.list(one_offs=True)}
    assert left == {session_id, running.session_id}


def test_text_from_outside_is_made_safe(sessions: SessionStore) -> None:
    begun = ask(sessions, None, "a\x1b[2Jb\udcff")
    session = sessions.get(begun.session_id)
    assert session.title == "a␛[2Jb�"
    assert (session.turns or [])[0].question == "a␛[2Jb�"


def test_threads_share_a_store(sessions: SessionStore) -> None:
    session_id = sessions.create("chat")
    indices: list[int] = []

    def work() -> None:
        indices.extend(ask(sessions, session_id, "?").turn_index for _ in range(10))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(indices) == list(range(60))
