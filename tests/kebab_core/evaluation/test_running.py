"""Whole runs over a small real corpus, reported and compared."""

from __future__ import annotations

from pathlib import Path

import pytest

from kebab_core.evaluation.comparing import changes, turned
from kebab_core.evaluation.golden import Golden, to_line
from kebab_core.evaluation.place import Place
from kebab_core.knowledge_base import KnowledgeBase

NOTICE = Golden(
    "How long is the notice period?",
    (Place("hr/leave.md", 1, 1),),
    support=("The notice period is four weeks and is given in writing.",),
)
NIGHT = Golden(
    "When do the backups run every night?", passages=(" backups RUN every night at two",)
)
MOON = Golden("What does the moon weigh?", answerable=False)
WRONG = Golden("How many days of paid leave a year?", (Place("ops/backup.md"),))


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    file = tmp_path / "golden.jsonl"
    file.write_text("\n".join(map(to_line, [NOTICE, NIGHT, MOON, WRONG])), encoding="utf-8")
    return file


def test_search_answers_and_abstentions_are_measured(base: KnowledgeBase, golden: Path) -> None:
    seen: list[tuple[int, int]] = []
    report = base.evaluate({"all": golden}, on_progress=lambda *step: seen.append(step))
    (one,) = report.sets
    found = one.measures
    assert (one.name, one.questions) == ("all", 4)
    # Two of three rankings are right at the first place; the third doesn't find it first.
    assert found["hit@1"] == pytest.approx(2 / 3, abs=1e-3)
    assert found["abstention_recall"] == found["abstention_precision"] == 1.0
    assert found["gate_recall"] == 1.0
    assert found["abstention_wrongly_refused"] == 0.0
    assert found["citation_precision"] == pytest.approx(2 / 3, abs=1e-3)
    assert found["quote_accuracy"] == 1.0
    assert seen == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]
    assert {"search_p50", "ask_p95"} <= report.latency_ms.keys()
    assert [point["bar"] for point in report.curve][:2] == [0.0, 0.05]
    assert report.curve[0]["wrongly_refused"] == 0.0
    assert report.curve[-1]["wrongly_refused"] == 1.0
    assert report.settings["model"] == "quote"
    assert base.sessions.list(one_offs=True) == []


def test_without_answers_only_search_is_measured(base: KnowledgeBase, golden: Path) -> None:
    report = base.evaluate({"all": golden}, answers=False)
    assert not [name for name in report.sets[0].measures if name.startswith(("abst", "cit"))]
    assert not [name for name in report.latency_ms if not name.startswith("search")]
    assert {item.abstained for item in report.items or ()} == {None}


def test_two_runs_beside_each_other(base: KnowledgeBase, golden: Path) -> None:
    before = base.evaluate({"all": golden})
    documents = base.store.documents()
    base.store.remove([item.doc_id for item in documents if item.doc_path == "hr/leave.md"])
    after = base.evaluate({"all": golden})
    gains = {one.measure: one.gain for one in changes(before, after)}
    assert (gains["hit@1"] or 0) < 0
    assert (gains["abstention_wrongly_refused"] or 0) < 0
    said = {one.question: one.what for one in turned(before, after)}
    assert said[NOTICE.question] == "not found any more"
    assert NIGHT.question not in said
    assert {one.gain for one in changes(before, before)} == {0.0}


def test_what_shows_the_same_once_more_does_not_count(base: KnowledgeBase, tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    both = Golden("Paid leave and notice", (Place("leave.md"),))
    file.write_text(to_line(both), encoding="utf-8")
    measures = base.evaluate({"one": file}, answers=False).sets[0].measures
    assert measures["ndcg@10"] == measures["recall@5"] == 1.0
