"""`/api/ask`: sources, prose, one end; as a stream and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kebab_core.testing.model import Cut, Hang, Received, Say, ScriptedModel, Status, Step
from tests.support.service import (
    QUESTION,
    SECRET,
    UNKNOWN,
    Issuer,
    Served,
    make_corpus,
    open_conversation,
    until,
)

SLOW = "How long does the parental leave hang?"
DIES = "Which parental leave dies?"
MUTE = "Which parental leave is mute?"
TAIL = '\n---\n{"cited": [1], "followups": ["Is it paid in full?"], "gap": null}'


def script(request: Received) -> list[Step]:
    text = request.text
    if SLOW in text:
        return [Say("It "), Hang()]
    if DIES in text:
        return [Say("It "), Cut()]
    if MUTE in text:
        return [Status(500)]
    if UNKNOWN in text:
        return [Say("NOTFOUND")]
    if "starters" in text or "first questions" in text.lower():
        return [Say('["What is leave?", "When is the backup?", "Who restores?"]')]
    return [Say.words("Parental leave lasts 26 weeks [1]."), Say(TAIL)]


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(script) as running:
        yield running


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("answers"), model, issuer=Issuer()) as running:
        yield running


@pytest.fixture
def alice(served: Served) -> Iterator[httpx.Client]:
    with served.client("alice") as client:
        yield client


Event = tuple[str, dict[str, Any]]


def streamed(client: httpx.Client, question: str, **body: Any) -> list[Event]:
    reply = client.post(
        "/api/ask",
        json={"question": question, **body},
        headers={"Accept": "text/event-stream"},
    )
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"].startswith("text/event-stream")
    found = []
    for block in reply.text.split("\n\n"):
        name, _, data = block.partition("\ndata: ")
        if data:
            found.append((name.removeprefix("event: "), json.loads(data)))
    return found


def test_sources_then_prose_then_the_end(alice: httpx.Client) -> None:
    events = streamed(alice, QUESTION)
    names = [name for name, _ in events]
    assert names[0] == "sources"
    assert set(names[1:-1]) == {"delta"}
    assert names[-1] == "done"
    done = events[-1][1]
    assert "".join(data["text"] for name, data in events if name == "delta") == done["answer"]
    assert done["answer"] == "Parental leave lasts 26 weeks [1]."
    assert done["grounded"] is True
    assert done["followups"] == ["Is it paid in full?"]
    assert done["gap"] is None
    assert done["model"] == "scripted"
    assert done["truncated"] is False
    [cited] = done["cited"]
    sources = events[0][1]["sources"]
    assert sources[0]["ref"] == cited["ref"]
    assert sources[0]["title"] == "Leave"
    assert sources[0]["written_by"] == "Ada"
    assert sources[0]["status"] == "verified"
    refs = [source["ref"].partition("#")[0] for source in sources]
    assert len(refs) == len(set(refs))
    assert not {"score", "rank", "relevance", "chunk_id"} & sources[0].keys()


def test_as_json_it_is_the_same(alice: httpx.Client) -> None:
    reply = alice.post("/api/ask", json={"question": QUESTION})
    assert reply.status_code == 200
    events = streamed(alice, QUESTION)
    assert reply.json() == {**events[0][1], **events[-1][1]}


def test_an_abstention_is_not_grounded(alice: httpx.Client) -> None:
    events = streamed(alice, UNKNOWN)
    assert [name for name, _ in events] == ["sources", "done"]
    assert events[-1][1]["grounded"] is False
    assert events[-1][1]["answer"]


@pytest.mark.parametrize("question", [DIES, MUTE])
def test_the_model_fails(alice: httpx.Client, question: str) -> None:
    events = streamed(alice, question)
    names = [name for name, _ in events if name != "delta"]
    assert names == ["sources", "error"]
    assert events[-1][1].keys() == {"cause", "fix"}
    assert "127.0.0.1" not in str(events[-1][1])
    reply = alice.post("/api/ask", json={"question": question})
    assert reply.status_code == 503
    assert reply.json().keys() == {"cause", "fix"}


def test_retrieval_fails(tmp_path: Path) -> None:
    with Served(tmp_path, corpus=False) as served, served.client() as client:
        [(name, data)] = streamed(client, QUESTION)
        assert name == "error"
        assert "kebab ingest" in data["fix"]
        assert client.post("/api/ask", json={"question": QUESTION}).status_code == 503
        assert client.get("/api/ask/starters").json() == {"starters": []}


def test_nothing_to_read(tmp_path: Path) -> None:
    make_corpus(tmp_path, {"notes": ()})
    with Served(tmp_path, issuer=Issuer(), corpus=False) as served, served.client("bob") as bob:
        [(name, data)] = streamed(bob, QUESTION)
        assert (name, "may read" in data["cause"]) == ("error", True)
        assert bob.get("/api/ask/starters").json() == {"starters": []}


def test_hanging_up_cancels(alice: httpx.Client, model: ScriptedModel, served: Served) -> None:
    before = len(model.hangups)
    headers = {"Accept": "text/event-stream"}
    with alice.stream("POST", "/api/ask", json={"question": SLOW}, headers=headers) as reply:
        for piece in reply.iter_text():
            if "event: delta" in piece:
                break
    assert model.wait_hangup(30, count=before + 1)


def test_what_was_said_before_is_understood(alice: httpx.Client, model: ScriptedModel) -> None:
    history = [
        {"role": "user", "text": "How many weeks of parental leave are there?"},
        {"role": "assistant", "text": "Parental leave lasts twenty-six weeks."},
    ]
    events = streamed(alice, "How is that one paid?", history=history)
    assert events[-1][0] == "done"
    assert events[0][1]["sources"][0]["title"] == "Leave"
    seen = [request for request in model.requests if "How is that one paid?" in request.text]
    assert "twenty-six weeks" in seen[-1].text


def test_a_conversation_remembers(alice: httpx.Client, served: Served) -> None:
    conversation = open_conversation(alice)
    assert streamed(alice, QUESTION, conversation_id=conversation)[-1][0] == "done"
    events = streamed(alice, "How is that one paid?", conversation_id=conversation)
    assert events[0][1]["sources"][0]["title"] == "Leave"
    body = {"question": QUESTION, "conversation_id": conversation}
    with served.client("bob") as bob:
        assert bob.post("/api/ask", json=body).status_code == 404
    both = body | {"history": [{"role": "user", "text": "x"}]}
    assert alice.post("/api/ask", json=both).status_code == 422


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"question": ""},
        {"question": "x" * 2001},
        {"question": "x", "history": [{"role": "user", "text": "x"}] * 9},
        {"question": "x", "history": [{"role": "system", "text": "x"}]},
        {"question": "x", "k": 3},
    ],
    ids=lambda body: str(body)[:40],
)
def test_bodies_that_are_not_right(alice: httpx.Client, body: dict[str, Any]) -> None:
    assert alice.post("/api/ask", json=body).status_code == 422


def test_starters_are_of_what_the_caller_may_read(tmp_path: Path) -> None:
    with (
        Served(tmp_path, issuer=Issuer()) as served,
        served.client("alice") as alice,
        served.client("bob") as bob,
    ):
        for _ in range(2):
            mine = alice.get("/api/ask/starters").text
            theirs = bob.get("/api/ask/starters").text
            assert "Zanzibar" in mine
            assert "Zanzibar" not in theirs
            assert "Leave" in theirs
        assert "Zanzibar" not in str(streamed(bob, SECRET)[0])


def test_asks_take_a_slot_and_give_it_back(tmp_path: Path, model: ScriptedModel) -> None:
    overrides = {"serve.running_asks": 1}
    with (
        Served(tmp_path, model, overrides=overrides, issuer=Issuer()) as served,
        served.client("alice") as alice,
    ):
        headers = {"Accept": "text/event-stream"}
        with alice.stream("POST", "/api/ask", json={"question": SLOW}, headers=headers) as reply:
            next(reply.iter_text())
            refused = alice.post("/api/ask", json={"question": QUESTION})
            assert refused.status_code == 429
            streamed_too = alice.post("/api/ask", json={"question": QUESTION}, headers=headers)
            assert streamed_too.status_code == 429
        assert until(lambda: served.service.slots.taken == 0)
        assert alice.post("/api/ask", json={"question": QUESTION}).status_code == 200


def test_shutting_down_ends_it_with_an_error(tmp_path: Path, model: ScriptedModel) -> None:
    with Served(tmp_path, model) as served, served.client() as client:
        headers = {"Accept": "text/event-stream"}
        seen = ""
        with client.stream("POST", "/api/ask", json={"question": SLOW}, headers=headers) as reply:
            for piece in reply.iter_text():
                seen += piece
                if "event: delta" in seen:
                    served.stop()
        assert "event: error" in seen
        assert "cancelled" in seen
