"""Tickets and their events, over real HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kebab_core.testing.model import Hang, Say, ScriptedModel, Step
from kebab_core.testing.model import Received as ModelRequest
from kebab_server.contract.events import TicketEvent
from tests.support.service import (
    QUESTION,
    UNKNOWN,
    Issuer,
    Received,
    Served,
    ask,
    open_conversation,
    parse,
    read_events,
)

ANSWER = "Parental leave lasts 26 weeks [1]."
SLOW = "How long does the parental leave hang?"


def script(request: ModelRequest) -> list[Step]:
    text = request.text
    if SLOW in text:
        return [Say("It "), Hang()]
    if UNKNOWN in text:
        return [Say("NOTFOUND")]
    return [Say.words(ANSWER)]


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(script) as running:
        yield running


@pytest.fixture
def served(tmp_path: Path, model: ScriptedModel) -> Iterator[Served]:
    with Served(tmp_path, model, issuer=Issuer()) as running:
        yield running


@pytest.fixture
def alice(served: Served) -> Iterator[httpx.Client]:
    with served.client("alice") as client:
        yield client


def types(events: list[Received]) -> list[str]:
    return [one.event for one in events]


def check_contract(events: list[Received]) -> None:
    """What holds for every whole replay."""
    assert [one.id for one in events] == list(range(1, len(events) + 1))
    for one in events:
        assert TicketEvent.model_validate(one.data).root.seq == one.id
        assert one.data["type"] == one.event
    kinds = types(events)
    assert kinds[0] == "accepted"
    assert kinds[-1] == "done"
    terminal = [kind for kind in kinds if kind in ("answer", "abstention", "refusal", "error")]
    assert terminal == [kinds[-2]] == [events[-1].data["outcome"]]
    states = [one.data["state"] for one in events if one.event == "branch"]
    assert states in (["opened", "closed"], [])
    assert events[-1].data["steps"] == kinds.count("step")
    assert events[-1].data["hops"] >= 1


def test_an_answer(alice: httpx.Client) -> None:
    conversation = open_conversation(alice)
    made = alice.post(f"/v1/conversations/{conversation}/asks", json={"question": QUESTION})
    assert made.status_code == 202
    assert made.json()["seq"] == 0
    assert made.json()["turn"] == 0
    events = read_events(alice, made.json()["ticket"])
    check_contract(events)
    assert types(events) == [
        "accepted",
        "branch",
        "milestone",
        "step",
        "milestone",
        "milestone",
        "branch",
        "answer",
        "done",
    ]
    accepted, answer, done = events[0].data, events[-2].data, events[-1].data
    assert accepted["question"] == QUESTION
    assert not any(QUESTION in str(one.data) for one in events[1:])
    assert answer["text"] == ANSWER
    assert answer["path"]["speed"] == "fast"
    assert answer["provenance"][0]["source"].startswith("leave.md#L")
    assert answer["sources"][0]["ref"].startswith("kebab://notes/leave.md#")
    assert answer["sources"][0]["permalink"].startswith("/docs/")
    assert done["tokens_in"] > 0
    assert done["model"] == "openai-compatible:scripted"
    assert events[3].data["args"]["query"] is None
    state = alice.get(f"/v1/asks/{made.json()['ticket']}").json()
    assert state["status"] == "finished"
    assert state["seq"] == len(events)
    assert state["terminal"] == answer
    assert state["done"] == done


def test_replay_from_every_id_also_twice_at_once(alice: httpx.Client) -> None:
    ticket = ask(alice)
    whole = read_events(alice, ticket)
    for after in range(len(whole) + 1):
        assert read_events(alice, ticket, after) == whole[after:]
    found: list[list[Received]] = []
    threads = [
        threading.Thread(target=lambda: found.append(read_events(alice, ticket))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [whole] * 4


def test_a_last_event_id_that_is_none(alice: httpx.Client) -> None:
    ticket = ask(alice)
    for given in ("x", "-1", "1.5", "9" * 40):
        reply = alice.get(f"/v1/asks/{ticket}/events", headers={"Last-Event-ID": given})
        assert reply.status_code == 422, given


def test_the_stream_is_what_the_command_line_reads(alice: httpx.Client) -> None:
    ticket = ask(alice)
    lines = read_events(alice, ticket, kind="stream")
    assert [one.id for one in lines] == list(range(1, len(lines) + 1))
    assert {one.event for one in lines[:-1]} == {"answer_event"}
    assert lines[-1].event == "done"
    kinds = [one.data["kind"] for one in lines[:-1]]
    assert kinds[0] == "retrieval_done"
    assert kinds[-1] == "final"
    said = "".join(one.data["delta"] for one in lines if one.data.get("kind") == "token")
    assert said == lines[-2].data["answer"]["answer"] == ANSWER
    assert read_events(alice, ticket, 2, kind="stream") == lines[2:]


def test_another_gets_404_everywhere(served: Served, alice: httpx.Client) -> None:
    conversation = open_conversation(alice)
    ticket = ask(alice, SLOW, conversation)
    with served.client("bob") as bob:
        for path in (f"/v1/asks/{ticket}{end}" for end in ("", "/events", "/stream")):
            assert bob.get(path).status_code == 404
        assert bob.post(f"/v1/asks/{ticket}/cancel").status_code == 404
        theirs = f"/v1/conversations/{conversation}/asks"
        assert bob.post(theirs, json={"question": QUESTION}).status_code == 404
        nothing = bob.get("/v1/asks/nothing")
        assert nothing.json() == bob.get(f"/v1/asks/{ticket}").json()
    assert alice.get(f"/v1/asks/{ticket}").json()["status"] == "running"
    assert alice.post(f"/v1/asks/{ticket}/cancel").status_code == 202


def test_one_ask_at_a_time_in_a_conversation(alice: httpx.Client) -> None:
    conversation = open_conversation(alice)
    ticket = ask(alice, SLOW, conversation)
    path = f"/v1/conversations/{conversation}/asks"
    assert alice.post(path, json={"question": QUESTION}).status_code == 409
    alice.post(f"/v1/asks/{ticket}/cancel")
    again = alice.post(path, json={"question": QUESTION})
    assert again.status_code == 202
    assert again.json()["turn"] == 1
    check_contract(read_events(alice, again.json()["ticket"]))


WRONG_BODIES = [
    b"",
    b"question",
    b"[]",
    b'"question"',
    b"{}",
    b'{"question": ""}',
    b'{"question": "   "}',
    b'{"question": 7}',
    b'{"question": "x", "colour": "red"}',
    b'{"question": "x", "context": "no"}',
    b'{"question": "x", "model": "nobody:x"}',
    b'{"question": "\\ud800"}',
    b'{"question": "' + b"x" * 8_001 + b'"}',
    b"\xff\xfe",
    b"[" * 100_000,
]


def test_bodies_that_are_not_right(alice: httpx.Client) -> None:
    conversation = open_conversation(alice)
    for body in WRONG_BODIES:
        reply = alice.post(f"/v1/conversations/{conversation}/asks", content=body)
        assert reply.status_code == 422, body[:80]
        assert reply.json()["code"] == "invalid_input"
    # Nothing has run, so the conversation is free.
    assert alice.get(f"/v1/asks/{ask(alice, conversation=conversation)}").json()["seq"] > 0


def test_cancel_while_it_runs(alice: httpx.Client, model: ScriptedModel) -> None:
    ticket = ask(alice, SLOW)
    assert model.wait_requests(1, 30)
    with alice.stream("GET", f"/v1/asks/{ticket}/events") as reply:
        seen = ""
        cancelled = False
        for piece in reply.iter_text():
            seen += piece
            if "reconciling" in seen and not cancelled:
                cancelled = True
                assert alice.post(f"/v1/asks/{ticket}/cancel").status_code == 202
    events = parse(seen)
    check_contract(events)
    assert events[-2].data["kind"] == "cancelled"
    assert types(events)[-3:] == ["branch", "error", "done"]
    assert model.wait_hangup(30)
    assert len(model.requests) == 1
    again = alice.post(f"/v1/asks/{ticket}/cancel")
    assert again.status_code == 202
    assert read_events(alice, ticket) == events
    assert read_events(alice, ticket, kind="stream")[-1].event == "done"


def test_cancel_after_the_end_changes_nothing(alice: httpx.Client) -> None:
    ticket = ask(alice)
    events = read_events(alice, ticket)
    reply = alice.post(f"/v1/asks/{ticket}/cancel")
    assert reply.status_code == 202
    assert reply.json()["outcome"] == "answer"
    assert read_events(alice, ticket) == events


def test_an_abstention_names_terms_and_not_the_question(alice: httpx.Client) -> None:
    events = read_events(alice, ask(alice, UNKNOWN))
    check_contract(events)
    abstention = events[-2].data
    assert abstention["type"] == "abstention"
    assert "dragon" in abstention["searched_terms"]
    assert "Which" not in abstention["searched_terms"]
    assert not any(UNKNOWN in str(one.data) for one in events[1:])


def test_a_follow_up_leans_on_the_turn_before(alice: httpx.Client, model: ScriptedModel) -> None:
    conversation = open_conversation(alice)
    read_events(alice, ask(alice, QUESTION, conversation))
    events = read_events(alice, ask(alice, "How is that one paid?", conversation))
    check_contract(events)
    assert events[0].data["turn"] == 1
    assert QUESTION in model.requests[-1].text
    assert ANSWER.removesuffix(" [1].") in model.requests[-1].text
    provenance: list[dict[str, Any]] = events[-2].data["provenance"]
    assert provenance[0]["source"].startswith("leave.md")


def test_the_log_keeps_its_promises_when_a_reader_leaves(
    alice: httpx.Client, model: ScriptedModel
) -> None:
    ticket = ask(alice)
    with alice.stream("GET", f"/v1/asks/{ticket}/events") as reply:
        next(reply.iter_raw())
    check_contract(read_events(alice, ticket))
