"""`kebab ask` where the model researches: the web and its switches, events, notes, follow-ups."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from kebab_core.testing import ScriptedModel
from kebab_core.testing.model import Received
from kebab_core.testing.script import Call, Calls, Hang, Say, Turn
from tests.support.program import Kebab
from tests.support.schemas import valid
from tests.support.terminal import Terminal
from tests.support.web import Web, small_web

NOTICE = "How long is the notice period?"
AGENTIC = {"KEBAB_ASK__MODE": "agentic"}
WEB_TOOLS = {"web_search", "fetch_page"}
TAIL = (
    '\n---\n{"cited": [1], "followups": ["Who confirms it?", "Is an e-mail enough?"], '
    '"gap": {"reason": "not-covered", "suggested_title": "Notice for managers"}}'
)


@pytest.fixture
def web() -> Iterator[Web]:
    with small_web() as one:
        yield one


def all_tools(address: str) -> list[Call]:
    return [
        Call("search_corpus", {"query": "paid leave"}),
        Call("open_document", {"path": "backup.md", "lines": "1-9"}),
        Call("list_documents", {}),
        Call("web_search", {"query": "notice period law"}),
        Call("fetch_page", {"url": address}),
    ]


# --- the web -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "variables", "offered"),
    [
        ([], {}, False),
        (["--web"], {}, True),
        ([], {"KEBAB_WEB__DEFAULT": "true"}, True),
        (["--no-web"], {"KEBAB_WEB__DEFAULT": "true"}, False),
        (["--web", "--no-web"], {}, False),
        (["--no-web", "--web"], {"KEBAB_WEB__DEFAULT": "true"}, False),
    ],
    ids=["off", "flag", "setting", "against the setting", "after the flag", "before the flag"],
)
def test_who_may_search_the_web(
    asking: Kebab, arguments: list[str], variables: dict[str, str], offered: bool
) -> None:
    with ScriptedModel([[Say("Four weeks [1].")]], repeat=True) as model:
        done = asking(
            "ask", "--json", *arguments, NOTICE, env=model.environment | AGENTIC | variables
        )
    assert done.returncode == 0, done.stderr
    tools = set(model.requests[0].tools)
    assert tools & WEB_TOOLS == (WEB_TOOLS if offered else set())
    assert "search_corpus" in tools


@pytest.mark.parametrize("other", ["--single", "--chance"])
def test_the_web_needs_a_run_that_can_search_it(asking: Kebab, other: str) -> None:
    done = asking("ask", "--json", "--web", other, NOTICE)
    assert done.returncode == 2
    assert json.loads(done.stderr)["code"] == "invalid_input"


def test_quotes_can_not_search_the_web(asking: Kebab) -> None:
    done = asking("ask", "--json", "--web", "--model", "quote", NOTICE)
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(done.stderr)["code"] == "model_required"
    setting = {"KEBAB_WEB__DEFAULT": "true"}
    assert asking("ask", "--json", "--model", "quote", NOTICE, env=setting).returncode == 0


def test_single_offers_no_tools_and_asks_once(asking: Kebab) -> None:
    with ScriptedModel([[Say("NOTFOUND")]], repeat=True) as model:
        done = asking("ask", "--json", "--single", NOTICE, env=model.environment | AGENTIC)
    assert done.returncode == 1
    assert [received.tools for received in model.requests] == [[]]
    retrieval = valid("answer", done.stdout)["retrieval"]
    assert (retrieval["searches"], retrieval["research"]) == (1, "none")


# --- events --------------------------------------------------------------------------------


def test_all_events_have_those_of_every_source_between_them(asking: Kebab, web: Web) -> None:
    turns: list[Turn] = [
        [Calls(all_tools(web.law))],
        [Say(["By law two ", "weeks [4]", ", here four [1]."])],
    ]
    with ScriptedModel(turns) as model:
        variables = model.environment | AGENTIC | web.variables
        done = asking("ask", "--stream", "--events", "all", "--web", NOTICE, env=variables)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    research = [one for one in lines if one["schema_version"] == "search_event.v1"]
    for line, one in zip(done.stderr.splitlines(), lines, strict=True):
        valid("search_event" if one in research else "answer_event", line)
    kinds = ["search" if one in research else one["kind"] for one in lines]
    assert kinds[0] == "retrieval_done"
    assert kinds[1:11] == ["search"] * 10
    assert set(kinds[11:-1]) == {"token"}
    assert kinds[-1] == "final"
    begun = [one for one in research if one["kind"] == "started"]
    ended = [one for one in research if one["kind"] == "finished"]
    assert [one["source"] for one in begun] == ["corpus", "open", "list", "web", "fetch"]
    assert [one["call_id"] for one in ended] == [one["call_id"] for one in begun]
    assert not any(one.get("error") for one in ended)
    answer = valid("answer", done.stdout)
    assert answer["retrieval"]["research"] == "ran"
    given = {json.dumps(hit["citation"]) for one in (lines[0], *ended) for hit in one["hits"]}
    assert {json.dumps(one["citation"]) for one in answer["citations"]} <= given
    assert {"local", "web"} == {source["kind"] for source in answer["sources"]}
    assert web.site.asked == ["/search?q=notice+period+law&format=json", "/law"]


def test_without_all_every_line_is_an_answer_event(asking: Kebab) -> None:
    turns: list[Turn] = [[Call("search_corpus", {"query": "leave"})], [Say("Four weeks [1].")]]
    with ScriptedModel(turns) as model:
        done = asking("ask", "--stream", NOTICE, env=model.environment | AGENTIC)
    assert done.returncode == 0, done.stderr
    for line in done.stderr.splitlines():
        valid("answer_event", line)
    assert len(model.requests) == 2


# --- notes on a terminal -------------------------------------------------------------------


def notes(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("⋯")]


def test_a_note_a_tool_call_on_a_terminal(asking: Kebab, web: Web) -> None:
    turns: list[Turn] = [[Calls(all_tools(web.law))], [Say("By law two weeks [4].")]]
    with ScriptedModel(turns) as model:
        asking.variables |= model.environment | AGENTIC | web.variables
        terminal = Terminal(asking, "ask", "--web", NOTICE)
        assert terminal.end() == 0
    assert notes(terminal.text) == [
        '⋯ searching corpus: "paid leave"',
        "⋯ opening backup.md, 1-9",
        "⋯ listing documents",
        '⋯ web search: "notice period law"',
        f"⋯ fetch: {web.law}",
    ]
    shown = terminal.text.splitlines()
    assert shown[5] == "By law two weeks [4]."
    assert shown[-2] == f'[4] [web] {web.law} "Law"'
    assert shown[-1].startswith("(1 cited · 3 searches)")


def test_a_note_is_one_short_clean_line_whatever_the_model_says(asking: Kebab) -> None:
    evil = "leave\x1b[2J\r\nAnd \u202ea second line " + "that is very long " * 30
    calls = [Call("search_corpus", {"query": evil}), Call("no_such_tool", {"x": evil})]
    with ScriptedModel([[Calls(calls)], [Say("Four weeks [1].")]]) as model:
        asking.variables |= model.environment | AGENTIC
        terminal = Terminal(asking, "ask", NOTICE, columns=60)
        assert terminal.end() == 0
    found = notes(terminal.text)
    assert len(found) == 2
    assert terminal.text.splitlines()[2] == "Four weeks [1]."
    assert all(len(line) <= 60 and line.endswith("…") for line in found)
    assert "\x1b[2J" not in terminal.raw
    assert "\u202e" not in terminal.raw


@pytest.mark.parametrize("arguments", [[], ["--no-stream"], ["--json"]], ids=str)
def test_no_notes_where_nobody_watches(asking: Kebab, arguments: list[str]) -> None:
    turns: list[Turn] = [[Call("search_corpus", {"query": "leave"})], [Say("Four weeks [1].")]]
    with ScriptedModel(turns) as model:
        done = asking("ask", *arguments, NOTICE, env=model.environment | AGENTIC)
    assert (done.returncode, done.stderr) == (0, "")
    assert "⋯" not in done.stdout


def test_no_stream_has_no_notes_on_a_terminal_either(asking: Kebab) -> None:
    turns: list[Turn] = [[Call("search_corpus", {"query": "leave"})], [Say("Four weeks.")]]
    with ScriptedModel(turns) as model:
        asking.variables |= model.environment | AGENTIC
        terminal = Terminal(asking, "ask", "--no-stream", NOTICE)
        assert terminal.end() == 0
    assert "⋯" not in terminal.raw
    shown = terminal.text.splitlines()
    assert shown[0] == "Four weeks."
    assert "References (retrieved, not marked by the model):" in shown
    assert shown[-1].startswith("(0 cited · ")
    assert " retrieved · 2 searches) · openai-compatible:scripted · " in shown[-1]


# --- general knowledge ---------------------------------------------------------------------


def test_general_knowledge_is_live_under_its_warning(asking: Kebab) -> None:
    with ScriptedModel([[Say("Usually a month "), Hang()]]) as model:
        asking.variables |= model.environment
        terminal = Terminal(asking, "ask", "--chance", NOTICE)
        terminal.wait_for("Usually a month")
        shown = " ".join(terminal.text.split())
        assert shown.startswith("! From general knowledge, not from your documents")
        terminal.process.sendintr()
        assert terminal.end() == 130
    with ScriptedModel([[Say("Usually a month.")]]) as model:
        asking.variables |= model.environment
        terminal = Terminal(asking, "ask", "--chance", NOTICE)
        assert terminal.end() == 0
    assert terminal.text.count("From general knowledge") == 1
    assert terminal.text.splitlines()[-1].startswith("(not from your documents)")


# --- follow-ups and the gap ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "variables", "wanted"),
    [
        ([], {}, False),
        (["--followups"], {}, True),
        ([], {"KEBAB_ASK__FOLLOWUPS": "true"}, True),
        (["--no-followups"], {"KEBAB_ASK__FOLLOWUPS": "true"}, False),
    ],
    ids=["off", "flag", "setting", "against the setting"],
)
def test_who_gets_follow_ups(
    asking: Kebab, arguments: list[str], variables: dict[str, str], wanted: bool
) -> None:
    proposed = {"cited": [1], "followups": ["Who confirms it?"], "gap": None}

    def turns(received: Received) -> list[Any]:
        asked_again = '"followups"' in received.messages[0]["content"]
        return [Say(json.dumps(proposed) if asked_again else "Four weeks [1].")]

    with ScriptedModel(turns) as model:
        done = asking("ask", "--json", *arguments, NOTICE, env=model.environment | variables)
    assert done.returncode == 0, done.stderr
    assert valid("answer", done.stdout)["followups"] == (["Who confirms it?"] if wanted else [])
    assert len(model.requests) == (2 if wanted else 1)


def test_follow_ups_and_the_gap_are_printed(asking: Kebab) -> None:
    with ScriptedModel([[Say(["Four weeks [1].", TAIL])]], repeat=True) as model:
        asking.variables |= model.environment
        done = asking("ask", "--followups", NOTICE)
        terminal = Terminal(asking, "ask", "--followups", NOTICE)
        assert terminal.end() == 0
    assert (done.returncode, done.stderr) == (0, "")
    for shown in (done.stdout.splitlines(), terminal.text.splitlines()):
        place = shown.index("Ask next:")
        assert shown[place - 1] == "! Your documents leave a gap: “Notice for managers” is missing."
        assert shown[place + 1 : place + 3] == ["  Who confirms it?", "  Is an e-mail enough?"]
        assert shown[place + 3].startswith("(1 cited · 1 search)")
        assert not any('"followups"' in line for line in shown)


# --- every passage -------------------------------------------------------------------------


def test_the_context_has_what_tools_brought_too(asking: Kebab) -> None:
    turns: list[Turn] = [
        [Call("open_document", {"path": "backup.md"})],
        [Say("They run every night [1].")],
    ]
    with ScriptedModel(turns) as model:
        variables = model.environment | AGENTIC | {"KEBAB_ASK__K": "1"}
        done = asking("ask", "--show-context", NOTICE, env=variables)
    assert done.returncode == 0, done.stderr
    shown = done.stdout.splitlines()
    place = shown.index("Passages given to the model:")
    heads = [line for line in shown[place:] if line.startswith(("●", "○"))]
    assert len(heads) == 2
    assert heads[0].startswith("● cited [1] [local] leave.md#L")
    assert heads[1].startswith("○ not cited [2] [local] backup.md#L")
    assert "    Backups run every night at 02:30. They are kept for 90 days" in done.stdout
