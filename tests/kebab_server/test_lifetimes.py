"""How long things are kept, and what happens while nothing happens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kebab_core.testing.model import Call, Hang, Say, ScriptedModel
from tests.support.clock import MovedClock
from tests.support.service import (
    QUESTION,
    Issuer,
    Served,
    ask,
    open_conversation,
    read_events,
)

HOUR = 3600.0


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


@pytest.fixture
def served(tmp_path: Path, clock: MovedClock) -> Iterator[Served]:
    with Served(tmp_path, issuer=Issuer(), clock=clock) as running:
        yield running


@pytest.fixture
def alice(served: Served) -> Iterator[httpx.Client]:
    with served.client("alice", lasts_s=30 * HOUR) as client:
        yield client


def test_a_ticket_is_gone_after_its_time_and_unknown_later(
    served: Served, alice: httpx.Client, clock: MovedClock
) -> None:
    ticket = ask(alice)
    whole = read_events(alice, ticket)
    clock.ahead = 890
    assert read_events(alice, ticket) == whole
    clock.ahead = 910
    paths = [f"/v1/asks/{ticket}{end}" for end in ("", "/events", "/stream")]
    for swept in (False, True):
        if swept:
            served.service.desk.sweep()
        assert [alice.get(path).status_code for path in paths] == [410] * 3
        assert alice.post(f"/v1/asks/{ticket}/cancel").status_code == 410
        with served.client("bob") as bob:
            assert [bob.get(path).status_code for path in paths] == [404] * 3
    clock.ahead = 910 + HOUR
    assert [alice.get(path).status_code for path in paths] == [404] * 3


def test_a_running_ticket_does_not_expire(tmp_path: Path, clock: MovedClock) -> None:
    with (
        ScriptedModel([[Say("It "), Hang()]]) as model,
        Served(tmp_path, model, clock=clock) as served,
        served.client() as client,
    ):
        ticket = ask(client)
        assert model.wait_requests(1, 30)
        clock.ahead = 2 * HOUR
        served.service.desk.sweep()
        assert client.get(f"/v1/asks/{ticket}").json()["status"] == "running"
        client.post(f"/v1/asks/{ticket}/cancel")
        assert read_events(client, ticket)[-1].event == "done"


def test_setting_the_computers_clock_moves_no_deadline(
    alice: httpx.Client, clock: MovedClock
) -> None:
    ticket = ask(alice)
    whole = read_events(alice, ticket)
    clock.told_ahead = 5 * HOUR
    assert read_events(alice, ticket) == whole
    clock.told_ahead = 0.0
    assert read_events(alice, ticket) == whole


def test_a_conversation_goes_with_what_was_said_in_it(
    served: Served, alice: httpx.Client, clock: MovedClock
) -> None:
    conversation = open_conversation(alice)
    read_events(alice, ask(alice, conversation=conversation))
    [kept] = served.service.sessions.list(one_offs=True)
    clock.ahead = 910
    path = f"/v1/conversations/{conversation}/asks"
    assert alice.post(path, json={"question": QUESTION}).status_code == 404
    for stale in served.service.desk.sweep():
        stale.forget(served.service.sessions)
    assert served.service.sessions.list(one_offs=True) == []
    assert kept.session_id not in str(served.service.sessions.list())


def test_no_turn_is_ever_on_the_disk(tmp_path: Path) -> None:
    with Served(tmp_path) as served, served.client() as client:
        read_events(client, ask(client))
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert QUESTION.encode() not in file.read_bytes(), file


def test_a_quiet_run_sends_comments(tmp_path: Path) -> None:
    with (
        ScriptedModel([[Say("It "), Hang()]]) as model,
        Served(tmp_path, model, keep_alive_s=0.05) as served,
        served.client() as client,
    ):
        ticket = ask(client)
        seen = ""
        with client.stream("GET", f"/v1/asks/{ticket}/events") as reply:
            for piece in reply.iter_text():
                seen += piece
                if seen.count(": keep-alive\n\n") >= 3:
                    break
        client.post(f"/v1/asks/{ticket}/cancel")


def test_overflow_drops_steps_and_nothing_else(tmp_path: Path) -> None:
    searches = [
        [Call("search_corpus", {"query": f"leave {word}"})] for word in ("pay", "weeks", "notice")
    ]
    overrides = {"serve.max_events": 10, "ask.mode": "agentic", "ask.max_rounds": 5}
    with (
        ScriptedModel([*searches, [Say("26 weeks [1].")]]) as model,
        Served(tmp_path, model, overrides=overrides) as served,
        served.client() as client,
    ):
        ticket = ask(client)
        # A reader who is there while it happens sees the steps; one who comes later doesn't.
        assert read_events(client, ticket)[-1].event == "done"
        events = read_events(client, ticket)
        ids = [one.id for one in events]
        kinds = [one.event for one in events]
        assert events[-1].data["steps"] == 4
        assert kinds.count("step") == 0
        assert len(events) == events[-1].id - 4
        assert ids == sorted(ids)
        assert kinds[0] == "accepted"
        assert kinds[-2:] == ["answer", "done"]
        assert kinds.count("branch") == 2
        assert kinds.count("milestone") == 6
        assert read_events(client, ticket, 3) == [one for one in events if one.id > 3]
