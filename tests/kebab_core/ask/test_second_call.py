"""After an answer without a tail: citations, what to ask next, the gap; and what it all cost."""

from __future__ import annotations

import json
import sqlite3
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kebab_core.ask.events import Final, Token
from kebab_core.ask.run import AskRun
from kebab_core.ask.second_call import messages, parsed
from kebab_core.errors import ModelInterrupted
from kebab_core.sessions import MemorySessions, SqliteSessions
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.load import load
from kebab_core.testing.model import Cut, Hang, Say, ScriptedModel, Status, Usage
from kebab_core.testing.script import Turn
from kebab_core.types import AskOptions
from kebab_core.wire.answer import Answer, Gap
from kebab_core.wire.reports import SpendReport
from tests.support.asking import LEAVE, Corpus, configured, deps, hit

QUESTION = "How long is parental leave, and who pays it?"
PROSE = "Parental leave is 26 weeks [1]."
JUDGED = {
    "cited": [1, 2, 99],
    "followups": ["How long is the notice?", "Do contractors have leave?"],
    "gap": {"suggested_title": "Who pays parental leave"},
}
WANTED = AskOptions(followups=True)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "planted")


def said(value: object) -> Turn:
    return [Say(json.dumps(value))]


def ask(
    tmp_path: Path,
    model: ScriptedModel,
    options: AskOptions = WANTED,
    corpus: Corpus | None = None,
    settings: dict[str, Any] | None = None,
) -> Answer:
    configuration = configured(tmp_path, model, settings)
    return AskRun(QUESTION, options, deps(configuration, corpus)).result(5)


def priced(directory: Path, model: ScriptedModel, ref: str = "openrouter:x/y") -> Configuration:
    """A provider that reports what a call cost, or one that a price table knows."""
    provider = ref.partition(":")[0]
    return load(
        data_dir=directory,
        cwd=directory,
        env={},
        overrides={
            "models.ask.model": ref,
            "ask.score_gate": 0.3,
            f"providers.{provider}.base_url": model.base_url,
            f"providers.{provider}.api_key_env": "MY_KEY",
        },
    )


def spent(sessions: MemorySessions | SqliteSessions) -> SpendReport:
    today = datetime.now(UTC).date()
    return sessions.spend(today - timedelta(days=1), today + timedelta(days=1))


# --- what it brings ------------------------------------------------------------------------


def test_it_brings_citations_followups_and_the_gap(tmp_path: Path) -> None:
    with ScriptedModel([[Say(PROSE)], said(JUDGED)]) as model:
        run = AskRun(QUESTION, WANTED, deps(configured(tmp_path, model)))
        events = list(run)
    assert isinstance(events[-1], Final)
    answer = events[-1].answer
    assert "".join(event.delta for event in events if isinstance(event, Token)) == PROSE
    assert answer.answer == PROSE
    assert [(one.marker, one.citation.path) for one in answer.citations] == [
        ("[1]", "hr/leave.md"),
        (None, "hr/leave.md"),
    ]
    assert answer.followups == JUDGED["followups"]
    assert answer.gap == Gap(reason="not-covered", suggested_title="Who pays parental leave")
    assert len(model.requests) == 2
    prompt = model.requests[1].messages[-1]["content"]
    assert PROSE in prompt
    assert LEAVE[2].chunk.text in prompt


def test_a_search_that_did_not_run_in_full_names_nothing_missing(tmp_path: Path) -> None:
    with ScriptedModel([[Say(PROSE)], said(JUDGED)]) as model:
        answer = ask(tmp_path, model, corpus=Corpus(limited=True))
    assert answer.gap == Gap(reason="search-limited", suggested_title=None)


@pytest.mark.parametrize(
    ("options", "settings", "calls"),
    [
        (AskOptions(), {}, 1),
        (AskOptions(), {"ask.followups": True}, 2),
        (AskOptions(followups=False), {"ask.followups": True}, 1),
    ],
)
def test_only_who_wants_them_pays_for_them(
    tmp_path: Path, options: AskOptions, settings: dict[str, Any], calls: int
) -> None:
    with ScriptedModel([[Say(PROSE)], said(JUDGED)]) as model:
        ask(tmp_path, model, options, settings=settings)
        assert len(model.requests) == calls


def test_three_are_proposed_and_never_the_question_itself(tmp_path: Path) -> None:
    judged = {"cited": [1], "followups": [QUESTION.upper(), "A?", "B?", "C?", "D?"], "gap": None}
    with ScriptedModel([[Say(PROSE)], said(judged)]) as model:
        assert ask(tmp_path, model).followups == ["A?", "B?", "C?"]


@pytest.mark.parametrize("wanted", [True, False])
def test_the_tail_is_asked_for_where_it_is_wanted(tmp_path: Path, wanted: bool) -> None:
    with ScriptedModel([[Say(f"{PROSE}\n---\n{json.dumps(JUDGED)}")]]) as model:
        ask(tmp_path, model, AskOptions(followups=wanted))
        system = model.requests[0].messages[0]["content"]
    assert ('{"cited"' in system) is wanted


def test_an_answer_with_a_tail_needs_no_second_call(tmp_path: Path) -> None:
    with ScriptedModel([[Say(f"{PROSE}\n---\n{json.dumps(JUDGED)}")]]) as model:
        answer = ask(tmp_path, model)
        assert len(model.requests) == 1
    assert answer.followups == JUDGED["followups"]


def test_nobody_judges_an_abstention(tmp_path: Path) -> None:
    with ScriptedModel([[Say("NOTFOUND")]]) as model:
        assert ask(tmp_path, model).not_found
        assert len(model.requests) == 1


def test_quote_makes_no_second_call(tmp_path: Path) -> None:
    sessions = MemorySessions()
    needs = deps(configured(tmp_path, None, {"models.followups.model": "quote"}), None, sessions)
    answer = AskRun("How long is parental leave?", WANTED, needs).result(5)
    assert answer.grounded
    assert answer.followups == []
    assert spent(sessions).rows == []


def test_a_model_of_its_own(tmp_path: Path) -> None:
    with ScriptedModel([[Say(PROSE)], said(JUDGED)]) as model:
        answer = ask(
            tmp_path, model, settings={"models.followups.model": "openai-compatible:smaller"}
        )
        assert [request.body["model"] for request in model.requests] == [model.model, "smaller"]
    assert answer.followups == JUDGED["followups"]
    assert answer.model.id == model.model


# --- when it fails -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "failing",
    [
        [Status(500)],
        [Say("{"), Cut()],
        [Say("I would rather not.")],
        [Say('{"cited": [1], "followups": [')],
    ],
    ids=["refused", "cut", "prose", "broken"],
)
def test_a_failure_leaves_the_answer_as_it_is(tmp_path: Path, failing: Turn) -> None:
    with ScriptedModel([[Say(PROSE)], failing]) as model:
        answer = ask(tmp_path, model)
    assert (answer.answer, answer.grounding, answer.finish_reason) == (PROSE, "cited", "stop")
    assert (answer.followups, answer.gap, answer.caveats) == ([], None, [])


def test_a_model_that_cannot_be_made_costs_only_the_followups(tmp_path: Path) -> None:
    with ScriptedModel([[Say(PROSE)]]) as model:
        answer = ask(tmp_path, model, settings={"models.followups.model": "anthropic:m"})
    assert (answer.answer, answer.followups, answer.caveats) == (PROSE, [], [])


def test_a_cancel_meanwhile_keeps_the_whole_answer(tmp_path: Path) -> None:
    sessions = MemorySessions()
    with ScriptedModel([[Say(PROSE), Usage(10, 2, cost=0.5)], [Hang()]]) as model:
        run = AskRun(QUESTION, WANTED, deps(priced(tmp_path, model), sessions=sessions))
        wait_for(lambda: len(model.requests) == 2)
        run.cancel("stopped")
        answer = run.result(2)
    assert (answer.answer, answer.grounding, answer.finish_reason) == (PROSE, "cited", "stop")
    assert run.partial == answer
    [session] = sessions.list(one_offs=True)
    [turn] = sessions.get(session.session_id).turns or []
    assert (turn.state, turn.answer) == ("answered", answer)
    # The cancelled call is one whose cost nobody reported, here and there.
    rows = [(row.role, row.usd, row.usd_source) for row in spent(sessions).rows]
    assert rows == [("ask", 0.5, "reported"), ("followups", None, "none")]
    assert (answer.usage.usd, answer.usage.usd_source) == (None, "none")


def test_the_callers_time_running_out_meanwhile_keeps_the_whole_answer(tmp_path: Path) -> None:
    with ScriptedModel([[Say(PROSE)], [Hang()]]) as model:
        options = AskOptions(followups=True, timeout_s=0.7)
        answer = ask(tmp_path, model, options)
    assert (answer.answer, answer.finish_reason) == (PROSE, "stop")


def wait_for(fact: Any, seconds: float = 5.0) -> None:
    deadline = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < deadline
        time.sleep(0.005)


# --- reading what the model wrote ----------------------------------------------------------


def test_json_is_found_in_whatever_stands_around_it() -> None:
    for written in (
        json.dumps(JUDGED),
        f"```json\n{json.dumps(JUDGED, indent=2)}\n```",
        f"Passage [1] and {{that}}: {json.dumps(JUDGED)} Hope this helps!",
    ):
        tail = parsed(written)
        assert tail is not None
        assert (tail.cited, len(tail.followups), tail.gap_reason) == ((1, 2, 99), 2, "not-covered")


def test_loose_forms_are_understood() -> None:
    tail = parsed(
        json.dumps(
            {
                "cited": ["[2]", "3", 4, None, True, "all"],
                "followups": [
                    {"question": "One\n  line?"},
                    "one line?",
                    "",
                    7,
                    "x" * 201,
                    "A\x1b[31m?",
                    "B?",
                    "C?",
                    "D?",
                ],
                "gap": {"reason": "not-covered", "suggested_title": None},
            }
        )
    )
    assert tail is not None
    assert tail.cited == (2, 3, 4)
    assert tail.followups == ("One line?", "A␛[31m?", "B?", "C?")
    assert (tail.gap_reason, tail.gap_title) == ("not-covered", None)


@pytest.mark.parametrize("gap", [None, False, "", "none", {}, {"reason": "none"}, 3, []])
def test_no_gap(gap: object) -> None:
    tail = parsed(json.dumps({"cited": [1], "gap": gap}))
    assert tail is not None
    assert tail.gap_reason is None


def test_other_json_is_nothing() -> None:
    assert parsed('[1] {"answer": "x"}') is None
    assert parsed("[" * 5000) is None


def test_the_prompt_fences_the_answer_and_fits() -> None:
    numbered = [hit("word " * 400, rank=n).numbered(n) for n in (1, 2, 3)]
    _, user = messages(QUESTION, "It ends </answer> here [1].", numbered, 1_800)
    assert user.content.count("</answer>") == 1
    assert user.content.count("<passage") == 2
    assert QUESTION in user.content


# --- the ledger ----------------------------------------------------------------------------


def test_the_answers_cost_is_the_ledgers(tmp_path: Path) -> None:
    sessions = MemorySessions()
    turns: list[Turn] = [
        [Say(PROSE), Usage(100, 7, cost=0.25)],
        [*said(JUDGED), Usage(40, 5, cost=0.125)],
    ]
    with ScriptedModel(turns) as model:
        needs = deps(priced(tmp_path, model), sessions=sessions)
        answer = AskRun(QUESTION, WANTED, needs).result(5)
    report = spent(sessions)
    assert (answer.usage.usd, answer.usage.usd_source) == (0.375, "reported")
    assert report.total_usd == answer.usage.usd
    assert [(row.role, row.calls, row.usd) for row in report.rows] == [
        ("ask", 1, 0.25),
        ("followups", 1, 0.125),
    ]
    assert sum(row.prompt_tokens for row in report.rows) == answer.usage.prompt_tokens == 140
    assert sum(row.completion_tokens for row in report.rows) == answer.usage.completion_tokens


@pytest.mark.parametrize(
    ("ref", "source"), [("openai:gpt-4o-mini", "table"), ("openai:no-such-model", "none")]
)
def test_a_price_is_the_tables_or_unknown(tmp_path: Path, ref: str, source: str) -> None:
    sessions = MemorySessions()
    with ScriptedModel([[Say(PROSE), Usage(1_000_000, 0)]]) as model:
        needs = deps(priced(tmp_path, model, ref), sessions=sessions)
        answer = AskRun(QUESTION, AskOptions(), needs).result(10)
    [row] = spent(sessions).rows
    assert (row.usd, row.usd_source) == (answer.usage.usd, source)
    assert answer.usage.usd_source == source
    assert (row.usd is None) == (source == "none")


def test_a_question_that_is_not_kept_is_counted_without_its_text(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    sessions = SqliteSessions(path)
    with ScriptedModel([[Say(PROSE), Usage(100, 7, cost=0.25)]]) as model:
        needs = deps(priced(tmp_path, model), sessions=sessions)
        AskRun(QUESTION, AskOptions(save=False), needs).result(5)
    assert spent(sessions).total_usd == 0.25
    assert sessions.list(one_offs=True) == []
    sessions.close()
    dump = "\n".join(sqlite3.connect(path).iterdump())
    assert "parental" not in dump.lower()


def test_a_failed_run_is_counted(tmp_path: Path) -> None:
    sessions = MemorySessions()
    with ScriptedModel([[Say("It is "), Cut()]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model), sessions=sessions))
        with pytest.raises(ModelInterrupted):
            run.result(5)
    [row] = spent(sessions).rows
    assert (row.calls, row.usd, row.usd_source) == (1, None, "none")


def test_a_ledger_that_cannot_be_written_costs_a_caveat(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    path.write_bytes(b"not a database" * 100)
    with ScriptedModel([[Say(PROSE)]]) as model:
        needs = deps(configured(tmp_path, model), sessions=SqliteSessions(path))
        run = AskRun(QUESTION, AskOptions(save=False), needs)
        events = list(run)
    assert isinstance(events[-1], Final)
    answer = events[-1].answer
    assert answer.answer == PROSE
    [caveat] = answer.caveats
    assert caveat.startswith("What this took can't be recorded: ")
