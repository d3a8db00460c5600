"""What stands under the prose, in each of the three grounding states."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from kebab_cli.answer_text import UNCITED, Wants, caveat_lines, footer, lines_below, prose_lines
from kebab_cli.output import render
from kebab_core.api import Answer, SearchHit

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def hit(n: int, **changes: Any) -> SearchHit:
    citation = {
        "kind": "line",
        "path": "leave.md",
        "uri": f"leave.md#L{n}-L{n + 4}",
        "indexed_at": NOW,
        "stale": False,
        "start": n,
        "end": n + 4,
    }
    fields: dict[str, Any] = {
        "rank": n,
        "n": n,
        "score": 0.03,
        "relevance": 0.82,
        "score_kind": "rrf",
        "kind": "local",
        "chunk_id": str(n),
        "doc_id": "d",
        "doc_path": "leave.md",
        "file_path": None,
        "title": "Handbook",
        "heading_path": ["Leave"],
        "section_label": "Leave › Notice",
        "snippet": "Two weeks.",
        "snippet_full_text": "Two weeks.\nIn writing.",
        "citation": citation,
        "retrieval": {
            "method": "hybrid",
            "fusion_score": 0.0325,
            "lexical_score": 8.2,
            "lexical_rank": 3,
            "vector_score": 0.71,
            "vector_rank": 1,
            "rerank_score": None,
        },
        "index_version": 1,
        "embedding_model": None,
        "chunker_version": "1",
        "indexed_at": NOW,
        "stale": False,
        "source_id": "notes",
        "media": "markdown",
        "lang": "en",
        "repo": None,
        "code_lang": None,
    }
    return SearchHit.model_validate(fields | changes)


SOURCE = {"n": 1, "kind": "local", "source": "leave.md#L1-L5", "title": "Handbook", "score": 0.82}
WEB = {"n": 2, "kind": "web", "source": "https://e.org/a", "title": "A page", "score": 0.0}


def answer(**changes: Any) -> Answer:
    fields: dict[str, Any] = {
        "answer": "Two weeks [1].",
        "grounded": True,
        "grounding": "cited",
        "refusal_reason": None,
        "citations": [],
        "model": {"id": "qwen3", "provider": "ollama"},
        "embedding": None,
        "prompt_template_version": "1",
        "retrieval": {
            "trace_id": "t",
            "mode": "hybrid",
            "k": 8,
            "score_gate": 0.35,
            "top_score": 0.82,
            "chunks_returned": 5,
            "chunks_used": 5,
            "searches": 1,
            "research": "none",
            "limited": False,
        },
        "usage": {
            "prompt_tokens": 1,
            "completion_tokens": 1,
            "latency_ms": 1440,
            "first_token_ms": 100,
            "usd": None,
            "usd_source": "none",
        },
        "finish_reason": "stop",
        "created_at": NOW,
        "sources": [SOURCE],
    }
    return Answer.model_validate(fields | changes)


def text(found: Answer, *hits: SearchHit, wants: Wants | None = None) -> list[str]:
    return [render(line, False) for line in lines_below(found, hits, wants or Wants())]


def test_cited_shows_the_cited_sources_only() -> None:
    shown = text(answer(sources=[SOURCE, WEB]), hit(1), hit(3))
    assert shown[0] == "─" * 40
    assert shown[1:] == [
        "Sources:",
        '[1] [local] leave.md#L1-L5 "Leave › Notice" (0.82)',
        '[2] [web] https://e.org/a "A page"',
        "(2 cited · 1 search) · ollama:qwen3 · 1.4 s",
    ]


def test_uncited_says_that_the_model_marked_nothing() -> None:
    found = answer(grounding="uncited", sources=[], retrieved=[SOURCE])
    assert text(found, hit(1))[1:] == [
        UNCITED,
        '[1] [local] leave.md#L1-L5 "Leave › Notice" (0.82)',
        "(0 cited · 5 retrieved · 1 search) · ollama:qwen3 · 1.4 s",
    ]


def test_not_found_names_the_nearest_and_what_to_do_next() -> None:
    suggestion = {"action": "ingest", "text": "Add documents.", "command": "kebab ingest PATH"}
    found = answer(
        grounding="none",
        grounded=False,
        not_found=True,
        refusal_reason="score_gate",
        sources=[],
        retrieved=[SOURCE],
        suggestions=[suggestion],
    )
    shown = text(found, hit(1))
    assert shown[1] == "Nearest passages:"
    assert shown[3:6] == ["What you can do:", "  Add documents.", "    kebab ingest PATH"]


def test_caveats_stand_above() -> None:
    lines = [render(line, False) for line in caveat_lines(["From memory."], None)]
    assert lines == ["! From memory."]


def test_the_context_is_every_passage_cited_or_not() -> None:
    shown = text(answer(), hit(1), hit(3), wants=Wants(context=True))
    place = shown.index("Passages given to the model:")
    assert shown[place + 1 :] == [
        '● cited [1] [local] leave.md#L1-L5 "Leave › Notice" (0.82)',
        "    Two weeks.",
        "    In writing.",
        '○ not cited [3] [local] leave.md#L3-L7 "Leave › Notice" (0.82)',
        "    Two weeks.",
        "    In writing.",
        "(1 cited · 1 search) · ollama:qwen3 · 1.4 s",
    ]


def test_the_explanation_has_each_channels_rank() -> None:
    shown = text(answer(), hit(1), wants=Wants(explain=True))
    assert "  hybrid · k 8 · best relevance 0.82 (bar 0.35) · 5 of 5 passages used" in shown
    assert "      fused 0.0325 · meaning #1 (0.710) · words #3 (8.200)" in shown


@pytest.mark.parametrize("width", [1, 10, 40])
def test_no_terminal_is_too_narrow(width: int) -> None:
    assert len(text(answer(), hit(1), wants=Wants(width=width))[0]) == width


def test_a_gap_is_said_and_a_reason_that_nobody_knows_too() -> None:
    def said(**gap: Any) -> str:
        return text(answer(gap=gap))[3]

    missing = {"reason": "not-covered", "suggested_title": "Notice for managers"}
    assert said(**missing) == "! Your documents leave a gap: “Notice for managers” is missing."
    assert "may have been missed" in said(reason="search-limited")
    assert said(reason="of another time") == "! Your documents don't cover all of the question."


def test_follow_ups_stand_under_the_sources() -> None:
    shown = text(answer(followups=["Who decides?", "By when?"]))
    assert shown[2:-1] == [
        '[1] [local] leave.md#L1-L5 "Handbook" (0.82)',
        "Ask next:",
        "  Who decides?",
        "  By when?",
    ]


@pytest.mark.parametrize("width", [60, 80])
def test_lines_break_between_words_and_a_long_title_is_cut(width: int) -> None:
    long = answer(
        sources=[SOURCE | {"title": "A very long title " * 6}],
        gap={"reason": "not-covered", "suggested_title": "All that nobody wrote down yet " * 3},
        followups=["What does the works council say about notice in a merger? " * 2],
    )
    lines = text(long, wants=Wants(width=width))
    assert all(len(line) <= width for line in lines)
    assert lines[2].endswith('…" (0.82)')
    assert lines[2].startswith('[1] [local] leave.md#L1-L5 "A very')


def test_prose_is_left_whole_where_no_terminal_is() -> None:
    found = answer(answer="Two weeks " * 30)
    assert prose_lines(found, None) == ["Two weeks " * 30]
    assert max(len(line) for line in prose_lines(found, 60)) <= 60


def test_general_knowledge_counts_nothing() -> None:
    found = answer(grounding="none", grounded=False, sources=[])
    retrieval = found.retrieval.model_copy(update={"searches": 0, "chunks_returned": 0})
    shown = footer(found.model_copy(update={"retrieval": retrieval}))
    assert shown == "(not from your documents) · ollama:qwen3 · 1.4 s"


def test_the_footer_counts_what_all_searches_brought() -> None:
    found = answer(grounding="uncited", sources=[])
    retrieval = found.retrieval.model_copy(update={"searches": 2, "chunks_used": 7})
    shown = footer(found.model_copy(update={"retrieval": retrieval}))
    assert shown.startswith("(0 cited · 7 retrieved · 2 searches)")


def test_the_footer_counts_searches() -> None:
    quote = answer(model={"id": "quote", "provider": "quote"})
    assert footer(quote) == "(1 cited · 1 search) · quote · 1.4 s"


def test_a_line_end_in_a_path_is_shown_not_obeyed() -> None:
    evil = SOURCE | {"source": "a\nb\x1b[2J.md#L1-L2"}
    assert '[1] [local] a␊b␛[2J.md#L1-L2 "Leave › Notice" (0.82)' in text(
        answer(sources=[evil]), hit(1)
    )
