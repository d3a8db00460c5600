"""At which step a document falls out of what a question is answered from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kebab_core.ask.pack import MAX_DOCUMENTS, MAX_PASSAGES, pack
from kebab_core.evaluation.place import is_called
from kebab_core.retrieve.searching import MAX_K
from kebab_core.text.clean import for_display
from kebab_core.types import Document, Filters, Hit, SearchOptions, SearchResult
from kebab_core.wire.reports import WhyReport, WhyStep

if TYPE_CHECKING:
    from kebab_core.store import Store

DEEP = 200
"""How far down a document is looked for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question as it would be asked, and the bar it would be judged by."""

    question: str
    options: SearchOptions
    bar: float


def why(
    path: str, asked: Asked, store: Store, search: Callable[[str, SearchOptions], SearchResult]
) -> WhyReport:
    """Follow the documents called `path` through every step. Raises what a search raises."""
    named = [item for item in store.documents() if _is_meant(item, path)]
    steps = [_indexed(named, path)]
    readable = [item for item in named if item.chunk_count]
    if steps[0].ok:
        steps += _searched(readable, asked, store, search)
    first = next((step for step in steps if not step.ok), None)
    return WhyReport(
        path=for_display(path),
        question=for_display(asked.question),
        documents=[f"{item.source_id}/{for_display(item.doc_path)}" for item in named],
        steps=steps,
        verdict=f"It is given to the answer: {steps[-1].detail}"
        if first is None
        else f"It falls out at {first.name!r}: {first.detail}",
    )


def _is_meant(document: Document, path: str) -> bool:
    if document.file_path is not None and Path(path).is_absolute():
        return document.file_path == path
    return is_called(document.source_id, document.doc_path, path)


def _indexed(named: Sequence[Document], path: str) -> WhyStep:
    failed = next((item.error for item in named if item.error is not None), None)
    if any(item.chunk_count for item in named):
        count = sum(item.chunk_count for item in named)
        return WhyStep(name="indexed", ok=True, detail=f"{count} passages are in the corpus.")
    if failed is not None:
        return WhyStep(name="indexed", ok=False, detail=f"reading it failed: {failed}")
    if named:
        return WhyStep(name="indexed", ok=False, detail="it has no text to search in.")
    there = "it is on disk, so" if Path(path).expanduser().exists() else "if it is a file,"
    detail = (
        f"no document of the corpus is called so; {there} `kebab ingest` reads it, or its report "
        "says why not."
    )
    return WhyStep(name="indexed", ok=False, detail=detail)


def _searched(
    documents: Sequence[Document],
    asked: Asked,
    store: Store,
    search: Callable[[str, SearchOptions], SearchResult],
) -> list[WhyStep]:
    options = asked.options
    ids = {item.doc_id for item in documents}
    within = {item.doc_id for item in store.documents_within(options.filters, options.scope)}
    if not ids & within:
        detail = "the filters leave it out."
        return [WhyStep(name="filters", ok=False, detail=detail)]
    narrowed = options.filters != Filters()
    steps = [
        WhyStep(
            name="filters",
            ok=True,
            detail="the filters let it through." if narrowed else "nothing is filtered.",
        )
    ]
    deep = SearchOptions(
        k=min(MAX_K, max(DEEP, options.k)),
        mode=options.mode,
        filters=options.filters,
        scope=options.scope,
    )
    found = search(asked.question, deep)
    own = [hit for hit in found.hits if hit.chunk.doc_id in ids]
    steps.append(_channel("words", [hit.lexical_rank for hit in own], found.mode != "vector"))
    steps.append(_channel("meaning", [hit.vector_rank for hit in own], found.mode != "lexical"))
    steps.append(_ranked(own, options.k))
    if not own:
        return steps
    steps.append(_judged(own, found.hits[: options.k], asked.bar))
    if own[0].rank <= options.k:
        steps.append(_packed(own, found.hits[: options.k]))
    return steps


def _channel(name: str, ranks: Sequence[int | None], ran: bool) -> WhyStep:
    """What a channel thought of it. Not being found by one is no fault: the other may find it."""
    known = [rank for rank in ranks if rank is not None]
    if not ran:
        detail = "this search did not run."
    elif known:
        detail = f"its best passage is at rank {min(known)}."
    else:
        detail = "none of its passages is found this way."
    return WhyStep(name=name, ok=True, detail=detail)


def _ranked(own: Sequence[Hit], k: int) -> WhyStep:
    if not own:
        return WhyStep(
            name="rank", ok=False, detail=f"no passage of it is among the first {DEEP} found."
        )
    rank = own[0].rank
    if rank > k:
        detail = f"its best passage is at rank {rank}, and {k} are taken (-k {rank} takes it)."
        return WhyStep(name="rank", ok=False, detail=detail)
    return WhyStep(name="rank", ok=True, detail=f"its best passage is at rank {rank} of {k} taken.")


def _judged(own: Sequence[Hit], taken: Sequence[Hit], bar: float) -> WhyStep:
    """The bar is on the whole pack: one passage above it lets all through."""
    best = max(hit.relevance or 0.0 for hit in own)
    top = max((hit.relevance or 0.0 for hit in taken), default=0.0)
    detail = f"its relevance is {best:.3f}, the best of all is {top:.3f}, the bar {bar:g}."
    return WhyStep(name="bar", ok=top >= bar, detail=detail)


def _packed(own: Sequence[Hit], taken: Sequence[Hit]) -> WhyStep:
    given = {hit.chunk.chunk_id for hit in pack(taken)}
    held = sum(hit.chunk.chunk_id in given for hit in own)
    if not held:
        detail = (
            f"passages before it fill the {MAX_PASSAGES} places, or the {MAX_DOCUMENTS} documents."
        )
        return WhyStep(name="trimmed", ok=False, detail=detail)
    return WhyStep(name="trimmed", ok=True, detail=f"{held} of its passages are given.")
