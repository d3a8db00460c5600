"""Each way a run can end has its own event."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from kebab_core.testing.model import Call, Cut, Say, ScriptedModel, Status
from tests.support.service import QUESTION, Issuer, Received, Served, ask, read_events


def run(
    folder: Path,
    turns: Any,
    question: str = QUESTION,
    *,
    settings: dict[str, Any] | None = None,
    issuer: Issuer | None = None,
    **body: Any,
) -> list[Received]:
    with (
        ScriptedModel(turns) as model,
        Served(folder, model, overrides=settings, issuer=issuer) as served,
        served.client() as client,
    ):
        return read_events(client, ask(client, question, **body))


def test_the_model_dies_in_the_middle(tmp_path: Path) -> None:
    events = run(tmp_path, [[Say("Parental leave "), Cut()]])
    assert events[-2].data["type"] == "error"
    assert events[-2].data["kind"] == "model"
    assert events[-1].data["outcome"] == "error"


def test_the_model_is_not_there(tmp_path: Path) -> None:
    with ScriptedModel([]) as model:
        gone = model.base_url
    settings = {
        "models.ask.model": "openai-compatible:x",
        "providers.openai-compatible.base_url": gone,
    }
    with Served(tmp_path, overrides=settings) as served, served.client() as client:
        events = read_events(client, ask(client))
    assert (events[-2].data["type"], events[-2].data["kind"]) == ("error", "model")


def test_the_model_is_asked_too_often(tmp_path: Path) -> None:
    events = run(tmp_path, [[Status(429)]] * 5)
    assert events[-2].data["type"] == "refusal"
    assert events[-2].data["what"] == "rate_limit"


def test_who_may_read_a_part_learns_no_address(tmp_path: Path) -> None:
    events = run(tmp_path, [[Status(500)]] * 5, issuer=Issuer())
    assert events[-2].data["kind"] == "model"
    assert "127.0.0.1" not in str(events)


BLOCKED = [Call("fetch_page", {"url": "http://127.0.0.1:9/secret"})]
ASKS_FOR_A_PAGE = "What does http://127.0.0.1:9/secret say of parental leave?"


def test_the_guard_refused_and_nothing_came_of_it(tmp_path: Path) -> None:
    settings = {"ask.mode": "agentic"}
    events = run(
        tmp_path, [BLOCKED, [Say("NOTFOUND")]], ASKS_FOR_A_PAGE, settings=settings, web=True
    )
    assert events[-2].data["type"] == "refusal"
    assert events[-2].data["what"] == "guard"
    [_, fetch] = [one.data for one in events if one.event == "step"]
    assert fetch["tool"] == "web__fetch"
    assert fetch["is_error"]


def test_the_guard_refused_and_the_answer_came_from_elsewhere(tmp_path: Path) -> None:
    settings = {"ask.mode": "agentic"}
    events = run(
        tmp_path, [BLOCKED, [Say("26 weeks [1].")]], ASKS_FOR_A_PAGE, settings=settings, web=True
    )
    answer = events[-2].data
    assert answer["type"] == "answer"
    assert answer["path"]["speed"] == "full"
    assert any("web__fetch http://127.0.0.1:9/secret" in caveat for caveat in answer["caveats"])


def test_a_tools_argument_that_is_the_question_is_not_told(tmp_path: Path) -> None:
    turns = [
        [Call("search_corpus", {"query": f"{QUESTION} please"})],
        [Call("search_corpus", {"query": "leave weeks"})],
        [Say("26 weeks [1].")],
    ]
    events = run(tmp_path, turns, settings={"ask.mode": "agentic"})
    args = [one.data["args"] for one in events if one.event == "step"]
    assert [arg["query"] for arg in args] == [None, None, "leave weeks"]
    assert events[-1].data["steps"] == 3
    assert events[-1].data["hops"] == 3


def test_without_the_documents(tmp_path: Path) -> None:
    events = run(tmp_path, [[Say("Usually some months.")]], context=False, effort="low")
    answer = events[-2].data
    assert answer["type"] == "answer"
    assert answer["provenance"] == []
    assert answer["caveats"]
    assert events[-1].data["effort"] == "low"


def test_no_corpus_yet(tmp_path: Path) -> None:
    with Served(tmp_path, corpus=False) as served, served.client() as client:
        events = read_events(client, ask(client))
        stream = read_events(client, ask(client), kind="stream")
    assert (events[-2].data["type"], events[-2].data["kind"]) == ("error", "internal")
    assert [one.event for one in stream] == ["error", "done"]
    assert stream[0].data["code"] == "not_indexed"


def test_an_ingest_that_holds_the_store_keeps_nobody_waiting(tmp_path: Path) -> None:
    from kebab_core.store import Store
    from tests.support.corpus import workspace

    with Served(tmp_path) as served, served.client() as client:
        with Store.open(workspace(tmp_path)).writer():
            events = read_events(client, ask(client))
            assert client.get("/api/ask/starters").status_code == 200
        assert events[-1].data["outcome"] == "answer"


def test_one_line_a_run_and_no_question_in_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        run(tmp_path / "a", [[Say("26 weeks [1].")]])
        run(tmp_path / "b", [[Say("x"), Cut()]])
    lines = [json.loads(r.message) for r in caplog.records if r.name == "kebab.serve"]
    told = [line for line in lines if line["event"] == "ask_answer"]
    assert [line["verdict"] for line in told] == ["answer", "error"]
    assert told[0]["principal"] == "local"
    assert told[0]["steps"] == 1
    assert told[0]["sources"]
    assert told[1]["failure"] == "model_interrupted"
    assert any(line["event"] == "model_without_price" for line in lines)
    everything = "\n".join(record.getMessage() for record in caplog.records)
    assert QUESTION not in everything
