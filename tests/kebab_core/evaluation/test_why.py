"""The step at which a document falls out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kebab_core.knowledge_base import KnowledgeBase
from kebab_core.types import Filters, SearchOptions
from kebab_core.wire.reports import WhyReport
from tests.support.corpus import stored

NOTICE = "How long is the notice period?"
OPTIONS = SearchOptions(k=8, mode="lexical")


def fell(report: WhyReport) -> str | None:
    return next((step.name for step in report.steps if not step.ok), None)


def test_given(base: KnowledgeBase) -> None:
    report = base.why("leave.md", NOTICE, OPTIONS)
    assert fell(report) is None
    assert report.documents == ["notes/hr/leave.md"]
    assert [step.name for step in report.steps] == [
        "indexed",
        "filters",
        "words",
        "meaning",
        "rank",
        "bar",
        "trimmed",
    ]
    assert report.verdict.startswith("It is given to the answer")


@pytest.mark.parametrize(
    ("path", "question", "options", "step"),
    [
        ("hr/other.md", NOTICE, OPTIONS, "indexed"),
        ("hr/leave.md", NOTICE, replace(OPTIONS, filters=Filters(media=("pdf",))), "filters"),
        ("ops/backup.md", NOTICE, OPTIONS, "rank"),
        ("ops/backup.md", "notice period leave backups", replace(OPTIONS, k=1), "rank"),
        ("hr/leave.md", "Does the unicorn gallop in writing at midnight?", OPTIONS, "bar"),
    ],
)
def test_where_it_falls_out(
    base: KnowledgeBase, path: str, question: str, options: SearchOptions, step: str
) -> None:
    report = base.why(path, question, options)
    assert fell(report) == step
    assert f"'{step}'" in report.verdict


def test_a_document_that_could_not_be_read(base: KnowledgeBase) -> None:
    broken = stored("hr/scan.pdf", [], media="pdf", error="scanned: it has no text")
    base.store.replace([broken])
    report = base.why("scan.pdf", NOTICE, OPTIONS)
    assert (fell(report), "scanned: it has no text" in report.verdict) == ("indexed", True)


def test_others_fill_the_places(base: KnowledgeBase) -> None:
    more = [f"The notice period of team {i} is {i} weeks of notice." for i in range(14)]
    base.store.replace([stored("hr/teams.md", more)])
    report = base.why("hr/leave.md", "notice period weeks", replace(OPTIONS, k=15))
    assert fell(report) == "trimmed"
