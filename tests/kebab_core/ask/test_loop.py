"""Turns with tools: a real toolbox of two shelves, a model server that plays a script."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kebab_core.ask.events import (
    Final,
    RetrievalDone,
    StreamEvent,
    Token,
    ToolFinished,
    ToolStarted,
)
from kebab_core.ask.passages import Passages
from kebab_core.ask.prompts.messages import passage
from kebab_core.ask.run import AskRun
from kebab_core.ask.tools import ToolResult
from kebab_core.llm.base import ToolCall, ToolSpec
from kebab_core.testing.model import Call, Calls, Hang, Received, Say, ScriptedModel
from kebab_core.testing.script import Turn
from kebab_core.types import AskOptions, Hit, ToolName
from kebab_core.wire.answer import Answer
from tests.support.asking import LEAVE, Corpus, configured, deps, hit

QUESTION = "How long is parental leave, and who signs it?"
SIGNS = hit("The head of the team signs it.", path="hr/signing.md", title="Signing")


@dataclass
class Shelves:
    """`look_up` gives the passages of a shelf, known ones under the numbers they have."""

    shelves: dict[str, list[Hit]] = field(
        default_factory=lambda: {"signing": [SIGNS, LEAVE[0]], "empty": []}
    )

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        parameters = {"type": "object", "properties": {"query": {"type": "string"}}}
        return (ToolSpec("look_up", "Looks up a shelf.", parameters),)

    def describe(self, call: ToolCall) -> tuple[ToolName, str]:
        return "corpus", self._query(call) or call.arguments

    async def use(self, call: ToolCall, passages: Passages) -> ToolResult:
        query = self._query(call)
        if call.name != "look_up" or query is None:
            return ToolResult("No such tool, or no query.", error="malformed call")
        hits = passages.add(self.shelves.get(query, []))
        return ToolResult("\n".join(map(passage, hits)) or "(no passages)", hits)

    @staticmethod
    def _query(call: ToolCall) -> str | None:
        try:
            value = json.loads(call.arguments)
        except ValueError:
            return None
        return value.get("query") if isinstance(value, dict) else None


def look_up(shelf: str, id_: str | None = None) -> Call:
    return Call("look_up", {"query": shelf}, id=id_)


def ask(
    tmp_path: Path, model: ScriptedModel, *, strong: bool = False, mode: str = "auto"
) -> tuple[list[StreamEvent], Answer]:
    gate = {"ask.score_gate": 0.1 if strong else 0.9, "ask.mode": mode}
    needs = deps(configured(tmp_path, model, gate), toolbox=lambda _: Shelves())
    events = list(AskRun(QUESTION, AskOptions(), needs))
    assert isinstance(events[-1], Final)
    answer = events[-1].answer
    tokens = [event.delta for event in events if isinstance(event, Token)]
    assert "".join(tokens) == ("" if answer.not_found else answer.answer)
    return events, answer


def test_one_round_and_then_an_answer(tmp_path: Path) -> None:
    turns: list[Turn] = [
        [Say("Let me look."), look_up("signing", "call-1")],
        [Say("It is 26 weeks [1], and the head of the team signs [4].")],
    ]
    with ScriptedModel(turns) as model:
        events, answer = ask(tmp_path, model)
        first, second = model.requests
    kinds = [type(event) for event in events]
    assert kinds == [RetrievalDone, ToolStarted, ToolFinished, Token, Final]
    started, finished = events[1], events[2]
    assert started == ToolStarted("call-1", "corpus", "signing")
    assert isinstance(finished, ToolFinished)
    assert [one.n for one in finished.hits] == [4, 1]
    assert first.tools == second.tools == ["look_up"]
    assert second.messages[-2]["tool_calls"][0]["function"]["name"] == "look_up"
    assert second.messages[-1]["role"] == "tool"
    assert 'n="4"' in second.messages[-1]["content"]
    assert [one.marker for one in answer.citations] == ["[1]", "[4]"]
    assert answer.sources[1].source == "hr/signing.md#L12-L12"
    assert answer.retrieval.research == "ran"
    assert answer.retrieval.chunks_used == 4
    assert "Let me look" not in answer.answer
    assert answer.usage.prompt_tokens > 0


def test_straight_from_the_first_search(tmp_path: Path) -> None:
    with ScriptedModel([[Say("It is 26 weeks [1].")]]) as model:
        events, answer = ask(tmp_path, model, strong=True)
        assert model.requests[0].tools == []
    assert answer.retrieval.research == "skipped"
    assert [type(event) for event in events] == [RetrievalDone, Token, Final]


def test_not_found_after_a_skipped_research_opens_the_tools(tmp_path: Path) -> None:
    turns: list[Turn] = [[Say("NOTFOUND")], [look_up("signing")], [Say("The head signs [4].")]]
    with ScriptedModel(turns) as model:
        _, answer = ask(tmp_path, model, strong=True)
        assert [request.tools for request in model.requests] == [[], ["look_up"], ["look_up"]]
    assert answer.answer == "The head signs [4]."
    assert answer.retrieval.research == "ran"


def test_single_mode_offers_nothing(tmp_path: Path) -> None:
    with ScriptedModel([[Say("NOTFOUND")]]) as model:
        _, answer = ask(tmp_path, model, strong=True, mode="single")
    assert answer.refusal_reason == "llm_self_judge"
    assert answer.retrieval.research == "none"


def test_agentic_mode_offers_them_at_once(tmp_path: Path) -> None:
    with ScriptedModel([[Say(["26 ", "weeks [1]."])]]) as model:
        _, answer = ask(tmp_path, model, strong=True, mode="agentic")
        assert model.requests[0].tools == ["look_up"]
    assert answer.answer == "26 weeks [1]."


def test_the_last_turn_has_no_tools(tmp_path: Path) -> None:
    def turn(received: Received) -> Turn:
        return [Say("Hm."), look_up("empty")]

    with ScriptedModel(turn) as model:
        _, answer = ask(tmp_path, model)
        assert [request.tools for request in model.requests] == [["look_up"], ["look_up"], []]
    assert answer.answer == "Hm."


def test_parallel_calls_run_in_their_order(tmp_path: Path) -> None:
    turns: list[Turn] = [
        [Calls([look_up("empty", "a"), look_up("signing", "b")])],
        [Say("The head signs [4].")],
    ]
    with ScriptedModel(turns) as model:
        events, _ = ask(tmp_path, model)
        tools = [one for one in model.requests[1].messages if one["role"] == "tool"]
    assert [type(event) for event in events[1:5]] == [ToolStarted, ToolFinished] * 2
    assert [one["tool_call_id"] for one in tools] == ["a", "b"]


@pytest.mark.parametrize("call", [Call("look_up", "{not json"), Call("nothing", "{}")])
def test_a_bad_call_is_a_result(tmp_path: Path, call: Call) -> None:
    with ScriptedModel([[call], [Say("26 weeks [1].")]]) as model:
        events, answer = ask(tmp_path, model)
    finished = events[2]
    assert isinstance(finished, ToolFinished)
    assert finished.error
    assert answer.grounded


def test_cancelled_between_rounds(tmp_path: Path) -> None:
    with ScriptedModel([[look_up("signing")], [Hang()]]) as model:
        gate = {"ask.score_gate": 0.9}
        run = AskRun(
            QUESTION,
            AskOptions(),
            deps(configured(tmp_path, model, gate), toolbox=lambda _: Shelves()),
        )
        assert model.wait_requests(2)
        run.cancel()
        assert run.result(2).finish_reason == "cancelled"
        assert model.wait_hangup(2)


def test_a_weak_pack_and_a_quoting_model_abstain_at_once(tmp_path: Path) -> None:
    needs = deps(
        configured(tmp_path, None, {"ask.score_gate": 0.9}), Corpus(), toolbox=lambda _: Shelves()
    )
    answer = AskRun(QUESTION, AskOptions(), needs).result(5)
    assert answer.refusal_reason == "score_gate"
