"""Of a source that a caller may not read, nothing reaches it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kebab_core.testing.model import Call, Received, Say, ScriptedModel, Step
from tests.support.service import (
    QUESTION,
    SECRET,
    Issuer,
    Served,
    ask,
    make_corpus,
    read_events,
)

# Every word of the planted source that isn't in the question itself.
PLANTED = ("900", "directors", "bonus.md", "payroll", "Payroll")


def script(request: Received) -> list[Step]:
    """Looks around with every tool, then answers from whatever it was given."""
    seen = str(request.messages)
    if "list_documents" in request.tools and '"role": "tool"' not in request.text:
        return [
            Call("list_documents", {}),
            Call("search_corpus", {"query": "zanzibar crowns directors"}),
            Call("open_document", {"path": "payroll/bonus.md"}),
        ]
    if "900 crowns" in seen:
        return [Say("It is 900 crowns [1].")]
    return [Say("NOTFOUND")]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    overrides = {"ask.mode": "agentic"}
    with (
        ScriptedModel(script) as model,
        Served(
            tmp_path_factory.mktemp("scope"), model, issuer=Issuer(), overrides=overrides
        ) as running,
    ):
        yield running


def everything(served: Served, who: str, question: str, **claims: Any) -> str:
    """All that a caller can get at about a question, as one text; the question itself left out."""
    with served.client(who, **claims) as client:
        ticket = ask(client, question)
        events = read_events(client, ticket)
        found = [str(one.data) for one in events[1:]]
        found += [str(one.data) for one in read_events(client, ticket, kind="stream")]
        found.append(client.get(f"/v1/asks/{ticket}").text)
        found.append(client.post("/v1/search", json={"query": question}).text)
    return "\n".join(found).replace(question, "")


def test_a_reader_finds_it(served: Served) -> None:
    for who, claims in (("alice", {}), ("carol", {"groups": ["finance"]})):
        assert "900 crowns" in everything(served, who, SECRET, **claims)


def test_another_gets_nothing_of_it(served: Served) -> None:
    got = everything(served, "bob", SECRET, groups=["finances", "*"])
    for word in PLANTED:
        # The model's own words for its tools are in the steps; the corpus's are nowhere.
        assert word not in got.replace("zanzibar crowns directors", "").replace(
            "payroll/bonus.md", ""
        ), word
    assert "abstention" in got


def test_a_part_of_the_corpus_has_no_scores(served: Served) -> None:
    with served.client("bob") as client:
        [first, *_] = client.post("/v1/search", json={"query": QUESTION}).json()["hits"]
        stream = read_events(client, ask(client, QUESTION), kind="stream")
    hits = [first, *stream[0].data["hits"]]
    for hit in hits:
        assert hit["score"] == 0.0
        assert hit["relevance"] is None
        assert hit["file_path"] is None
        assert {value for name, value in hit["retrieval"].items() if name != "method"} == {None}
    final = next(one for one in stream if one.data.get("kind") == "final").data["answer"]
    assert final["retrieval"]["top_score"] is None
    assert all(source["score"] == 0.0 for source in final["sources"] + final["retrieved"])
    assert "(0." not in final["answer"]


def test_a_part_of_the_corpus_has_no_paths_of_the_disk(served: Served) -> None:
    with served.client("bob") as client:
        vector = client.post("/v1/search", json={"query": QUESTION, "mode": "vector"})
        assert vector.status_code == 422
        told = [vector.text, client.post("/v1/search", json={"query": QUESTION}).text]
        ticket = ask(client, QUESTION)
        told += [client.get(f"/v1/asks/{ticket}/{kind}").text for kind in ("events", "stream")]
        told.append(client.post("/api/ask", json={"question": QUESTION}).text)
    assert "Search is lexical only." in told[1]
    for text in told:
        assert ".cache" not in text
        assert "/tmp" not in text


def test_nothing_to_read_is_a_refusal_and_asks_no_model(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    make_corpus(folder, {"notes": ("alice",), "payroll": ()})
    with (
        ScriptedModel(script) as model,
        Served(folder, model, issuer=Issuer(), corpus=False) as served,
        served.client("bob") as bob,
    ):
        events = read_events(bob, ask(bob))
        assert [one.event for one in events] == ["accepted", "refusal", "done"]
        assert events[1].data["what"] == "access"
        assert events[2].data["outcome"] == "refusal"
        assert model.requests == []
        assert bob.post("/v1/search", json={"query": QUESTION}).json()["hits"] == []


def test_a_source_without_readers_is_the_owners(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    make_corpus(folder, {"notes": (), "payroll": ()})
    with Served(folder, corpus=False) as served, served.client() as owner:
        assert read_events(owner, ask(owner))[-1].data["outcome"] == "answer"
