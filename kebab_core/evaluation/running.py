"""A golden set put to a corpus: every question searched for, and asked if wanted."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kebab_core.ask import gate
from kebab_core.ask.events import RetrievalDone, ToolFinished
from kebab_core.evaluation.golden import Golden, read
from kebab_core.evaluation.judging import Judged, K, citations_right, quotes_right, ranking
from kebab_core.evaluation.reporting import report
from kebab_core.retrieve.follow_up import search_query
from kebab_core.types import AskOptions, Hit, SearchOptions, SearchResult
from kebab_core.wire.reports import EvalReport

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


def evaluate(
    sets: Mapping[str, Path],
    search: Search,
    ask: Ask | None,
    searching: SearchOptions,
    asking: AskOptions,
    *,
    score_gate: float | Literal["calibrated"],
    about: Mapping[str, object],
    on_progress: Callable[[int, int], None],
) -> EvalReport:
    """Put the golden sets, by name, to `search`, and to `ask` if there is one.

    One question at a time: latencies are those of a person who waits. `about` goes into the
    report's settings. Raises what reading a set, a search or an ask raises.
    """
    bar = gate.bar(score_gate)
    questions = {name: read(path) for name, path in sets.items()}
    # Rankings are judged at ten, however many an ask takes.
    deep = replace(searching, k=max(searching.k, K))
    total, done = sum(map(len, questions.values())), 0
    judged: dict[str, list[Judged]] = {}
    for name, asked in questions.items():
        judged[name] = []
        for golden in asked:
            on_progress(done, total)
            judged[name].append(judge(golden, search, deep, ask, asking))
            done += 1
    on_progress(done, total)
    settings = {**about, "mode": searching.mode, "k": searching.k, "score_gate": bar}
    return report(judged, settings, bar)
