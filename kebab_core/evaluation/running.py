"""A golden set put to a corpus: every question searched for, and asked if wanted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from kebab_core.ask.events import RetrievalDone, ToolFinished
from kebab_core.errors import KebabError
from kebab_core.evaluation.golden import Golden
from kebab_core.evaluation.judging import Judged, K, citations_right, quotes_right, ranking
from kebab_core.retrieve.follow_up import search_query
from kebab_core.types import AskOptions, Hit, SearchOptions, SearchResult

if TYPE_CHECKING:
    from kebab_core.ask.run import AskRun

Search = Callable[[str, SearchOptions], SearchResult]
Ask = Callable[[str, AskOptions], "AskRun"]


def judge(
    golden: Golden, search: Search, options: SearchOptions, ask: Ask | None, asking: AskOptions
) -> Judged:
    """Raises KebabError where search or answer fails: a set half measured measures nothing."""
    query: str | None = None
    for earlier in (*golden.history, golden.question):
        query = search_query(earlier, query)
    begun = time.perf_counter()
    found = search(query or golden.question, options)
    search_ms = (time.perf_counter() - begun) * 1000
    judged = Judged(
        golden=golden,
        ranking=ranking(golden, found.hits[:K]),
        top=max((hit.relevance for hit in found.hits if hit.relevance is not None), default=None),
        search_ms=search_ms,
    )
    if ask is None:
        return judged
    # History is what a search leans on; the model is asked the question as it is searched for.
    with ask(query or golden.question, asking) as run:
        hits: list[Hit] = []
        for event in run:
            if isinstance(event, (RetrievalDone, ToolFinished)):
                hits.extend(event.hits)
        answer = run.result()
    return Judged(
        golden=golden,
        ranking=judged.ranking,
        top=judged.top,
        search_ms=search_ms,
        answer=answer,
        citations_right=citations_right(golden, answer, hits),
        quotes_right=quotes_right(golden, answer),
    )


def judge_all(
    questions: Sequence[Golden],
    judge_one: Callable[[Golden], Judged],
    on_progress: Callable[[int, int], None],
) -> list[Judged]:
    """In order, one at a time: latencies are those of a person who waits."""
    judged = []
    for done, golden in enumerate(questions):
        on_progress(done, len(questions))
        try:
            judged.append(judge_one(golden))
        except KebabError as failure:
            failure.details.setdefault("question", golden.question)
            failure.details.setdefault("judged", done)
            raise
    on_progress(len(questions), len(questions))
    return judged
