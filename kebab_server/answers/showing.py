"""Passages and answers as a page shows them: no score, no rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kebab_core import api
from kebab_server.contract.bodies import PageCitation, PageDone, PageGap, PageSource
from kebab_server.tickets.naming import heading, permalink, ref
from kebab_server.tickets.verdict import number


def sources(base: api.KnowledgeBase, hits: Iterable[api.Hit], query: str) -> list[PageSource]:
    """One a document, the best passage of each. Reads the store: not from an event loop."""
    found: dict[str, PageSource] = {}
    for hit in hits:
        if hit.chunk.doc_id not in found:
            found[hit.chunk.doc_id] = _source(base, hit, query)
    return list(found.values())


def _source(base: api.KnowledgeBase, hit: api.Hit, query: str) -> PageSource:
    status = author = None
    if hit.kind == "local":
        try:
            document = base.document(hit.chunk.doc_id)
        except api.NotFound:  # removed just now
            pass
        else:
            status, author = document.status, document.author
    folder = "" if hit.kind == "web" else hit.chunk.doc_path.rpartition("/")[0]
    return PageSource(
        ref=ref(hit),
        permalink=permalink(hit),
        title=api.for_display(hit.title),
        folder=api.for_display(folder),
        heading=heading(hit),
        status=status,
        written_by=author,
        uploaded_by=None,
        snippet=api.search_hit(hit, query).snippet,
    )


def done(answer: api.Answer, hits: Mapping[int, api.Hit]) -> PageDone:
    """`hits` by their number in the run."""
    cited = [item for item in (_citation(one, hits) for one in answer.citations) if item]
    return PageDone(
        answer=answer.answer,
        grounded=answer.grounding == "cited",
        cited=cited,
        followups=answer.followups,
        gap=None
        if answer.gap is None
        else PageGap(reason=answer.gap.reason, suggested_title=answer.gap.suggested_title),
        model=answer.model.id or answer.model.provider,
        truncated=answer.truncated,
        caveats=answer.caveats,
    )


def _citation(cited: api.AnswerCitation, hits: Mapping[int, api.Hit]) -> PageCitation | None:
    n = number(cited.marker)
    hit = hits.get(n or 0)
    if n is None or hit is None:
        return None
    return PageCitation(
        n=n,
        ref=ref(hit),
        permalink=permalink(hit),
        title=api.for_display(hit.title),
        heading=heading(hit),
        place=cited.citation.uri,
        quote=cited.quote,
    )
