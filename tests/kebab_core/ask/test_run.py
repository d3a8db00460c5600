"""Every way a run can end, against a model server that plays a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kebab_core.ask.assemble import FROM_GENERAL_KNOWLEDGE
from kebab_core.ask.events import Final, RetrievalDone, StreamEvent, Token
from kebab_core.ask.prompts import PROMPT_VERSION
from kebab_core.ask.run import AskRun
from kebab_core.errors import InvalidInput, KebabError, NotIndexed
from kebab_core.sessions import MemorySessions, SqliteSessions
from kebab_core.testing.model import Cut, Finish, Html, Say, ScriptedModel, Status, Think, Usage
from kebab_core.types import AskOptions, Filters, Scope
from kebab_core.wire.answer import Answer, EmbeddingRef
from kebab_core.wire.convert import citation
from kebab_core.wire.session import Turn
from tests.support.asking import LEAVE, Corpus, configured, deps, hit

QUESTION = "How long is parental leave?"
CITED = "Parental leave is 26 weeks [1]. Contractors get none [3]."


@pytest.fixture
def sessions() -> Iterator[MemorySessions]:
    store = MemorySessions()
    yield store
    store.close()


def read(run: AskRun) -> tuple[list[StreamEvent], Answer]:
    """All events, in the order every answer has them, and the answer."""
    events = list(run)
    assert run.ended
    first, *tokens, last = events
    assert isinstance(first, RetrievalDone)
    assert all(isinstance(event, Token) for event in tokens)
    assert isinstance(last, Final)
    assert run.result(5) is last.answer
    if tokens:
        assert prose(events) == last.answer.answer
    return events, last.answer


def prose(events: list[StreamEvent]) -> str:
    return "".join(event.delta for event in events if isinstance(event, Token))


def fail(run: AskRun) -> tuple[list[StreamEvent], KebabError]:
    """The events before the failure, and the failure, which `result` raises too."""
    events: list[StreamEvent] = []
    with pytest.raises(KebabError) as failed:
        events.extend(run)
    with pytest.raises(type(failed.value)):
        run.result(5)
    return events, failed.value


def only_turn(sessions: MemorySessions | SqliteSessions) -> Turn:
    [session] = sessions.list(one_offs=True)
    [turn] = sessions.get(session.session_id).turns or []
    return turn


# --- answers -------------------------------------------------------------------------------


def test_a_cited_answer(tmp_path: Path, sessions: MemorySessions) -> None:
    corpus = Corpus()
    embedding = EmbeddingRef(id="all-MiniLM-L6-v2@int8", provider="onnx", dimensions=384)
    with ScriptedModel([[Say.words(CITED)]]) as model:
        needs = deps(configured(tmp_path, model), corpus, sessions, embedding=lambda: embedding)
        run = AskRun(QUESTION, AskOptions(), needs)
        events, answer = read(run)
    retrieved = events[0]
    assert isinstance(retrieved, RetrievalDone)
    assert [one.n for one in retrieved.hits] == [1, 2, 3]
    assert [one.chunk for one in retrieved.hits] == [one.chunk for one in LEAVE]
    assert answer.answer == CITED
    assert (answer.grounded, answer.grounding, answer.refusal_reason) == (True, "cited", None)
    assert [one.marker for one in answer.citations] == ["[1]", "[3]"]
    places = [citation(one) for one in retrieved.hits]
    assert all(one.citation in places for one in answer.citations)
    assert [one.quote for one in answer.citations] == [
        "Parental leave is 26 weeks at full pay.",
        "Contractors have no paid leave.",
    ]
    assert [(one.n, one.source) for one in answer.sources] == [
        (1, "hr/leave.md#L12-L12"),
        (3, "hr/contractors.md#L12-L12"),
    ]
    assert [one.n for one in answer.retrieved] == [1, 2, 3]
    assert (answer.model.provider, answer.model.id) == ("openai-compatible", "scripted")
    assert answer.embedding == embedding
    assert answer.prompt_template_version == PROMPT_VERSION
    assert answer.finish_reason == "stop"
    found = answer.retrieval
    assert (found.trace_id, found.mode, found.k) == (run.id, "hybrid", 8)
    assert (found.score_gate, found.top_score) == (0.3, 0.8)
    assert (found.chunks_returned, found.chunks_used, found.searches) == (3, 3, 1)
    assert (found.research, found.limited) == ("none", False)
    assert answer.usage.completion_tokens > 0
    assert answer.usage.first_token_ms is not None
    assert answer.usage.first_token_ms <= answer.usage.latency_ms
    assert not answer.not_found
    assert not answer.caveats
    assert corpus.queries == [QUESTION]
    turn = only_turn(sessions)
    assert turn.state == "answered"
    assert turn.answer is not None
    assert turn.answer.to_line() == answer.to_line()
    assert [one.n for one in turn.evidence] == [1, 2, 3]


def test_invented_numbers_never_come_out(tmp_path: Path) -> None:
    said = ["It is 26 weeks [", "1, 9", "].", " Or not [7]", "."]
    with ScriptedModel([[Say(said)]]) as model:
        events, answer = read(AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model))))
    assert answer.answer == "It is 26 weeks [1]. Or not."
    assert not any("9" in e.delta or "7" in e.delta for e in events if isinstance(e, Token))


def test_an_uncited_answer(tmp_path: Path, sessions: MemorySessions) -> None:
    with ScriptedModel([[Say("It is 26 weeks.")]]) as model:
        needs = deps(configured(tmp_path, model), sessions=sessions)
        _, answer = read(AskRun(QUESTION, AskOptions(), needs))
    assert (answer.grounded, answer.grounding) == (True, "uncited")
    assert not answer.citations
    assert not answer.sources
    assert [one.n for one in answer.retrieved] == [1, 2, 3]
    assert only_turn(sessions).state == "answered"


def test_the_tail_judges_and_never_shows(tmp_path: Path) -> None:
    tail = '{"cited": [3, 9], "followups": ["And fathers?"], "gap": {"reason": "not-covered"}}'
    with ScriptedModel([[Say(["It is 26 weeks.\n-", f"--\n{tail}"])]]) as model:
        _, answer = read(AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model))))
    assert answer.answer == "It is 26 weeks."
    assert answer.grounding == "cited"
    assert [(one.marker, one.citation.path) for one in answer.citations] == [
        (None, "hr/contractors.md")
    ]
    assert answer.followups == ["And fathers?"]
    assert answer.gap is not None
    assert answer.gap.reason == "not-covered"


def test_quote_answers_without_a_server(tmp_path: Path, sessions: MemorySessions) -> None:
    needs = deps(configured(tmp_path), sessions=sessions)
    _, answer = read(AskRun(QUESTION, AskOptions(), needs))
    assert answer.grounding == "cited"
    assert answer.model.provider == "quote"
    assert "26 weeks" in answer.answer


def test_an_answer_cut_at_the_cap(tmp_path: Path) -> None:
    with ScriptedModel([[Say(["It is 26 ", "weeks and "]), Finish("length")]]) as model:
        events, answer = read(AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model))))
    assert answer.answer == "It is 26 weeks and…"
    last = events[-2]
    assert isinstance(last, Token)
    assert last.delta == "…"
    assert answer.truncated
    assert answer.finish_reason == "length"


def test_a_tail_that_is_cut_leaves_the_prose_whole(tmp_path: Path) -> None:
    said = 'It is 26 weeks [1].\n---\n{"cited": [1'
    with ScriptedModel([[Say(said), Finish("length")]]) as model:
        _, answer = read(AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model))))
    assert answer.answer == "It is 26 weeks [1]."
    assert not answer.truncated


def test_what_the_server_counted(tmp_path: Path) -> None:
    with ScriptedModel([[Think("hm"), Say("26 weeks [1]."), Usage(100, 7)]]) as model:
        _, answer = read(AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model))))
    usage = answer.usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (100, 7)
    assert (usage.usd, usage.usd_source) == (None, "none")


# --- abstentions ---------------------------------------------------------------------------


def abstain(run: AskRun) -> Answer:
    events, answer = read(run)
    assert len(events) == 2
    assert answer.not_found
    assert (answer.grounded, answer.grounding) == (False, "none")
    assert answer.citations == []
    assert answer.answer
    assert [one.action for one in answer.suggestions] == ["ingest", "rephrase", "chance"]
    assert answer.finish_reason == "stop"
    return answer


@pytest.mark.parametrize("mode", ["auto", "single"])
def test_nothing_above_the_bar(tmp_path: Path, sessions: MemorySessions, mode: Any) -> None:
    with ScriptedModel([]) as model:
        needs = deps(configured(tmp_path, model, {"ask.score_gate": 0.9}), sessions=sessions)
        answer = abstain(AskRun(QUESTION, AskOptions(mode=mode), needs))
        assert model.requests == []
    assert answer.refusal_reason == "score_gate"
    assert answer.retrieval.top_score == 0.8
    assert "I searched 2 documents" in answer.answer
    assert "“Notice” in hr/leave.md (0.80)" in answer.answer
    assert [one.n for one in answer.retrieved] == [1, 2, 3]
    assert answer.model.id == "scripted"
    turn = only_turn(sessions)
    assert turn.state == "abstained"
    assert turn.answer is not None
    assert turn.answer.not_found
    assert len(turn.evidence) == 3


def test_passages_that_no_channel_could_judge_are_weak(tmp_path: Path) -> None:
    corpus = Corpus([hit("어떤 문장", relevance=None)])
    answer = abstain(AskRun(QUESTION, AskOptions(), deps(configured(tmp_path), corpus)))
    assert answer.refusal_reason == "score_gate"
    assert answer.retrieval.top_score is None


def test_a_pinned_passage_passes_the_gate(tmp_path: Path) -> None:
    corpus = Corpus([hit("Leave lapses in March.", relevance=0.01)])
    pinned = (corpus.hits[0].chunk.chunk_id,)
    run = AskRun(
        "When does leave lapse?", AskOptions(pinned=pinned), deps(configured(tmp_path), corpus)
    )
    assert read(run)[1].grounding == "cited"


def test_the_model_finds_nothing(tmp_path: Path, sessions: MemorySessions) -> None:
    with ScriptedModel([[Say([" not", "FOUND", ".\n"])]]) as model:
        needs = deps(configured(tmp_path, model), sessions=sessions)
        answer = abstain(AskRun(QUESTION, AskOptions(), needs))
    assert answer.refusal_reason == "llm_self_judge"
    assert answer.usage.completion_tokens > 0
    assert only_turn(sessions).state == "abstained"


def test_no_passage_at_all(tmp_path: Path, sessions: MemorySessions) -> None:
    needs = deps(configured(tmp_path), Corpus([]), sessions, counts=lambda: (5, 40))
    answer = abstain(AskRun(QUESTION, AskOptions(), needs))
    assert answer.refusal_reason == "no_chunks"
    assert "5 documents" in answer.answer
    assert answer.retrieved == []


def test_filters_that_match_nothing(tmp_path: Path) -> None:
    needs = deps(configured(tmp_path), Corpus([]), counts=lambda: (5, 40))
    options = AskOptions(filters=Filters(tags=("none",)))
    answer = abstain(AskRun(QUESTION, options, needs))
    assert answer.refusal_reason == "no_chunks"
    assert "filters" in answer.answer


def test_a_reader_who_may_not_see_all_learns_no_counts(tmp_path: Path) -> None:
    options = AskOptions(scope=Scope(frozenset({"ann"})))
    needs = deps(configured(tmp_path, None, {"ask.score_gate": 0.9}))
    answer = abstain(AskRun(QUESTION, options, needs))
    assert "your documents" in answer.answer
    assert "2 documents" not in answer.answer


# --- general knowledge ---------------------------------------------------------------------


def test_chance_is_one_ungrounded_turn(tmp_path: Path, sessions: MemorySessions) -> None:
    corpus = Corpus()
    with ScriptedModel([[Say("Commonly some weeks [1].")]]) as model:
        needs = deps(configured(tmp_path, model), corpus, sessions)
        events, answer = read(AskRun(QUESTION, AskOptions(chance=True), needs))
        [request] = model.requests
    assert events[0] == RetrievalDone(())
    assert corpus.queries == []
    assert answer.answer == "Commonly some weeks."
    assert (answer.grounded, answer.grounding, answer.not_found) == (False, "none", False)
    assert answer.refusal_reason is None
    assert not answer.citations
    assert not answer.retrieved
    assert answer.caveats == [FROM_GENERAL_KNOWLEDGE]
    assert request.body["max_tokens"] == 1024
    assert "passage" not in request.messages[-1]["content"]
    assert only_turn(sessions).state == "answered"


def test_chance_needs_a_model(tmp_path: Path, sessions: MemorySessions) -> None:
    needs = deps(configured(tmp_path), sessions=sessions)
    _, failure = fail(AskRun(QUESTION, AskOptions(chance=True), needs))
    assert failure.code == "model_required"
    assert failure.hint
    assert only_turn(sessions).state == "failed"


# --- failures ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (Status(401), "model_refused"),
        (Status(404), "model_not_found"),
        (Status(429), "rate_limited"),
        (Status(500), "model_unreachable"),
        (Html(), "model_unreachable"),
        (Say(""), "model_empty"),
        (Say("  \n"), "model_empty"),
        (Say("[9]"), "model_empty"),
        (Say('---\n{"cited": [1]}'), "model_empty"),
        (Cut(), "model_unreachable"),
    ],
)
def test_a_model_that_does_not_answer(
    tmp_path: Path, sessions: MemorySessions, step: Any, code: str
) -> None:
    with ScriptedModel([[step]], repeat=True) as model:
        needs = deps(configured(tmp_path, model), sessions=sessions)
        events, failure = fail(AskRun(QUESTION, AskOptions(), needs))
    assert [type(event) for event in events] == [RetrievalDone]
    assert failure.code == code
    assert failure.hint
    turn = only_turn(sessions)
    assert (turn.state, turn.answer) == ("failed", None)
    assert turn.error is not None
    assert turn.error.code == code
    assert len(turn.evidence) == 3


def test_no_server_at_all(tmp_path: Path, sessions: MemorySessions) -> None:
    with ScriptedModel([]) as model:
        configuration = configured(tmp_path, model)
    events, failure = fail(AskRun(QUESTION, AskOptions(), deps(configuration, sessions=sessions)))
    assert [type(event) for event in events] == [RetrievalDone]
    assert failure.code == "model_unreachable"


def test_a_stream_cut_in_the_middle(tmp_path: Path, sessions: MemorySessions) -> None:
    with ScriptedModel([[Say(["It is 26 weeks [1]", ". And"]), Cut()]]) as model:
        run = AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model), sessions=sessions))
        events, failure = fail(run)
    assert failure.code == "model_interrupted"
    assert prose(events) == "It is 26 weeks [1]. And"
    turn = only_turn(sessions)
    assert turn.state == "failed"
    partial = run.partial
    assert partial is not None
    assert turn.answer is not None
    assert turn.answer.to_line() == partial.to_line()
    assert partial.answer == prose(events)
    assert (partial.finish_reason, partial.refusal_reason) == ("error", "llm_stream_aborted")
    assert not partial.grounded
    assert [one.marker for one in partial.citations] == ["[1]"]


def test_a_search_that_fails(tmp_path: Path, sessions: MemorySessions) -> None:
    def no_corpus() -> None:
        raise NotIndexed("There is no corpus yet.", "Ingest something.")

    needs = deps(configured(tmp_path), Corpus(before=no_corpus), sessions)
    events, failure = fail(AskRun(QUESTION, AskOptions(new_session=True), needs))
    assert events == []
    assert failure.code == "not_indexed"
    assert sessions.list(one_offs=True) == []


def test_an_empty_corpus(tmp_path: Path, sessions: MemorySessions) -> None:
    needs = deps(configured(tmp_path), Corpus([]), sessions)
    _, failure = fail(AskRun(QUESTION, AskOptions(), needs))
    assert failure.code == "not_indexed"
    assert sessions.list(one_offs=True) == []


def test_a_bug_is_no_crash(tmp_path: Path, sessions: MemorySessions) -> None:
    def bug() -> None:
        raise ZeroDivisionError("sk-secret")

    needs = deps(configured(tmp_path), Corpus(before=bug), sessions)
    _, failure = fail(AskRun(QUESTION, AskOptions(), needs))
    assert failure.code == "internal"
    assert "ZeroDivisionError" in failure.message
    assert "sk-secret" not in failure.message
    assert isinstance(failure.__cause__, ZeroDivisionError)
    turn = only_turn(sessions)
    assert turn.state == "failed"
    assert turn.error is not None


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("", AskOptions()),
        (" \n ", AskOptions()),
        ("x" * 8_001, AskOptions()),
        ("x", AskOptions(k=0)),
        ("x", AskOptions(k=51)),
        ("x", AskOptions(timeout_s=0)),
    ],
)
def test_what_cannot_be_asked(tmp_path: Path, question: str, options: AskOptions) -> None:
    with pytest.raises(InvalidInput) as failed:
        AskRun(question, options, deps(configured(tmp_path)))
    assert failed.value.hint


def test_the_longest_question_is_asked(tmp_path: Path) -> None:
    run = AskRun("leave " + "x" * 7_994, AskOptions(), deps(configured(tmp_path)))
    assert run.result(10).answer


def test_control_characters_in_a_question_are_made_visible(
    tmp_path: Path, sessions: MemorySessions
) -> None:
    run = AskRun(
        "parental leave\x1b]0;x\x07\udcff?",
        AskOptions(),
        deps(configured(tmp_path), sessions=sessions),
    )
    run.result(5)
    assert run.question == "parental leave␛]0;x␇�?"
    assert only_turn(sessions).question == run.question


# --- what is asked of the search -----------------------------------------------------------


def test_options_reach_the_search(tmp_path: Path) -> None:
    corpus = Corpus()
    options = AskOptions(
        k=2,
        search_mode="lexical",
        filters=Filters(source_ids=("notes",)),
        scope=Scope(frozenset({"ann"})),
        excluded=(LEAVE[0].chunk.chunk_id,),
    )
    events, answer = read(AskRun("annual leave lapse", options, deps(configured(tmp_path), corpus)))
    [asked] = corpus.options
    assert (asked.k, asked.mode) == (3, "lexical")
    assert (asked.filters, asked.scope) == (options.filters, options.scope)
    assert isinstance(events[0], RetrievalDone)
    assert [one.chunk for one in events[0].hits] == [LEAVE[1].chunk, LEAVE[2].chunk]
    assert [one.n for one in events[0].hits] == [1, 2]
    assert answer.retrieval.k == 2


def test_pinned_passages_come_first(tmp_path: Path) -> None:
    stored = hit("Stored elsewhere: leave is paid.", path="other.md")
    pinned = (stored.chunk.chunk_id, LEAVE[2].chunk.chunk_id, "gone")
    needs = deps(configured(tmp_path), passages=lambda ids, scope: [stored])
    events, answer = read(AskRun(QUESTION, AskOptions(pinned=pinned), needs))
    assert isinstance(events[0], RetrievalDone)
    assert [one.chunk for one in events[0].hits] == [
        stored.chunk,
        LEAVE[2].chunk,
        LEAVE[0].chunk,
        LEAVE[1].chunk,
    ]
    assert answer.caveats == ["1 pinned passage is not in the corpus any more."]


def test_a_channel_that_did_not_run_is_said(tmp_path: Path) -> None:
    corpus = Corpus(limited=True, warnings=("Search is lexical only.",))
    with ScriptedModel([[Say("NOTFOUND")]]) as model:
        _, answer = read(AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model), corpus)))
        [request] = model.requests
    assert "did not run" in request.messages[-1]["content"]
    assert answer.retrieval.limited
    assert answer.caveats == ["Search is lexical only."]
    assert "may have been missed" in answer.answer


def test_a_small_window_leaves_out_the_weakest(tmp_path: Path) -> None:
    corpus = Corpus([hit(f"{n} leave " + "word " * 150, rank=n) for n in range(1, 9)])
    with ScriptedModel([[Say("So [1].")]], context_tokens=2048) as model:
        _, answer = read(AskRun(QUESTION, AskOptions(), deps(configured(tmp_path, model), corpus)))
        [request] = model.requests
    given = request.messages[-1]["content"].count("<passage ")
    assert 0 < given < 8
    assert answer.retrieval.chunks_used == given
    [caveat] = answer.caveats
    assert caveat.startswith(f"{8 - given} of 8 passages found were left out")
    assert "2048 tokens" in caveat
    assert request.body["max_tokens"] < 4000
