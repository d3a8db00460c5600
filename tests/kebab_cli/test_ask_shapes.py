"""`kebab ask --json` in the three states of grounding, and ends while a tool is at work."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from kebab_core.sessions import SqliteSessions
from kebab_core.testing import ScriptedModel
from kebab_core.testing.script import Call, Say, Turn
from tests.support.program import Kebab
from tests.support.schemas import valid
from tests.support.site import Site

NOTICE = "How long is the notice period?"
TELESCOPE = "Which telescope photographed the rings of Saturn first?"
AGENTIC = {"KEBAB_ASK__MODE": "agentic"}
SEARCH = [Call("search_corpus", {"query": "rings of Saturn"})]


def asked(kebab: Kebab, *turns: Turn, question: str = NOTICE) -> tuple[int, dict[str, Any]]:
    """Exit code and answer; nothing else was written."""
    with ScriptedModel(turns) as model:
        done = kebab("ask", "--json", question, env=model.environment | AGENTIC)
    assert done.stderr == ""
    return done.returncode, valid("answer", done.stdout)


# --- the three states ----------------------------------------------------------------------


def test_cited(asking: Kebab) -> None:
    code, answer = asked(asking, SEARCH, [Say("Four weeks [1].")])
    assert code == 0
    assert (answer["grounded"], answer["grounding"]) == (True, "cited")
    assert answer["refusal_reason"] is None
    assert answer["not_found"] is False
    [source] = answer["sources"]
    [cited] = answer["citations"]
    assert (source["n"], source["kind"]) == (1, "local")
    assert source["source"] == cited["citation"]["uri"]
    assert 0 < source["score"] <= 1
    assert cited["marker"] == "[1]"
    assert "four weeks" in cited["quote"]
    assert 1 <= len(answer["retrieved"]) <= 3
    scores = [one["score"] for one in answer["retrieved"]]
    assert scores == sorted(scores, reverse=True)
    assert answer["suggestions"] == []
    retrieval = answer["retrieval"]
    assert (retrieval["searches"], retrieval["research"]) == (2, "ran")
    assert retrieval["chunks_used"] >= retrieval["chunks_returned"] > 0


def test_uncited(asking: Kebab) -> None:
    code, answer = asked(asking, [Say("Four weeks, says [99] somebody.")])
    assert code == 0
    assert (answer["grounded"], answer["grounding"]) == (True, "uncited")
    assert "[99]" not in answer["answer"]
    assert (answer["sources"], answer["citations"]) == ([], [])
    assert 1 <= len(answer["retrieved"]) <= 3
    assert answer["retrieval"]["searches"] == 1
    assert answer["suggestions"] == []


def test_not_in_the_corpus(asking: Kebab) -> None:
    code, answer = asked(asking, SEARCH, [Say("NOTFOUND")], question=TELESCOPE)
    assert code == 1
    assert (answer["grounded"], answer["grounding"]) == (False, "none")
    assert answer["not_found"] is True
    assert answer["refusal_reason"] in ("score_gate", "llm_self_judge")
    assert answer["answer"].startswith("I searched 2 documents twice")
    assert (answer["sources"], answer["citations"]) == ([], [])
    assert answer["retrieved"]
    assert answer["retrieval"]["searches"] == 2
    actions = {one["action"]: one["command"] for one in answer["suggestions"]}
    assert list(actions) == ["ingest", "rephrase", "chance"]
    assert actions["chance"] == f"kebab ask --chance '{TELESCOPE}'"


def test_what_is_suggested_is_what_works(asking: Kebab) -> None:
    """The last suggestion, typed as it is printed."""
    with ScriptedModel([SEARCH, [Say("NOTFOUND")], [Say("Henry's.")]]) as model:
        asking.variables |= model.environment | AGENTIC
        answer = valid("answer", asking("ask", "--json", TELESCOPE).stdout)
        done = asking.shell(answer["suggestions"][-1]["command"])
    assert done.returncode == 0
    assert done.stdout.startswith("! From general knowledge")
    assert "Henry's." in done.stdout


def test_general_knowledge_is_none_of_the_three(asking: Kebab) -> None:
    with ScriptedModel([[Say("Henry's [1].")]]) as model:
        done = asking("ask", "--json", "--chance", TELESCOPE, env=model.environment)
    answer = valid("answer", done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert (answer["grounded"], answer["grounding"], answer["not_found"]) == (False, "none", False)
    assert answer["caveats"][0].startswith("From general knowledge")
    assert answer["citations"] == answer["sources"] == answer["retrieved"] == []
    assert answer["retrieval"]["searches"] == 0


# --- ends while a tool is at work ----------------------------------------------------------


class Silent:
    """A search engine that takes a question and never answers it."""

    def __init__(self, site: Site, reached: threading.Event) -> None:
        self._reached = reached
        self.variables = {
            "KEBAB_WEB__BASE_URL": site.base,
            "KEBAB_WEB__DEFAULT": "true",
            **AGENTIC,
        }

    def wait(self) -> None:
        assert self._reached.wait(30)


@contextmanager
def silent_engine() -> Iterator[Silent]:
    reached, over = threading.Event(), threading.Event()

    def hold(request: BaseHTTPRequestHandler) -> None:
        reached.set()
        over.wait(60)

    with Site({"/search": hold}) as site:
        yield Silent(site, reached)
        over.set()


@contextmanager
def searching(asking: Kebab, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`kebab ask` in the middle of a web search."""
    turns: list[Turn] = [[Call("web_search", {"query": "notice"})], [Say("Never asked.")]]
    with ScriptedModel(turns) as model, silent_engine() as engine:
        asking.variables |= model.environment | engine.variables
        with asking.start("ask", *arguments, NOTICE) as process:
            engine.wait()
            yield process
        assert len(model.requests) == 1


def kept_state(kebab: Kebab) -> str:
    sessions = SqliteSessions(Path(kebab.variables["KEBAB_DATA_DIR"]) / "sessions.sqlite3")
    try:
        [listed] = sessions.list(one_offs=True)
        turns = sessions.get(listed.session_id).turns
        assert turns is not None
        [turn] = turns
        assert turn.answer is not None
        assert turn.answer.refusal_reason == "llm_stream_aborted"
        return turn.state
    finally:
        sessions.close()


@pytest.mark.parametrize("arguments", [["--json"], []], ids=["json", "text"])
def test_a_reader_that_leaves_during_a_search(asking: Kebab, arguments: list[str]) -> None:
    with searching(asking, *arguments) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(10) == 1
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert kept_state(asking) == "cancelled"


def test_a_reader_of_events_that_leaves_during_a_search(asking: Kebab) -> None:
    with searching(asking, "--stream", "--events", "all") as process:
        assert process.stderr is not None
        kinds = [json.loads(process.stderr.readline())["kind"] for _ in range(2)]
        assert kinds == ["retrieval_done", "started"]
        process.stderr.close()
        assert process.wait(10) == 1
    assert kept_state(asking) == "cancelled"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_during_a_search(asking: Kebab, number: int, code: int) -> None:
    with searching(asking, "--json") as process:
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=10)
        assert (process.returncode, stderr) == (code, "")
    answer = valid("answer", stdout)
    assert (answer["answer"], answer["finish_reason"]) == ("", "cancelled")
    assert answer["retrieval"]["research"] == "ran"
    assert kept_state(asking) == "cancelled"
