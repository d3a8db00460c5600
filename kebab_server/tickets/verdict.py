"""Which terminal event a run ends with: never one dressed as another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kebab_core import api
from kebab_server.contract.events import ErrorKind, Outcome, Path, Provenance, TicketSource
from kebab_server.contract.words import key_terms
from kebab_server.tickets.naming import heading, permalink, ref

CANCELLED = "The ask was cancelled."
EXPIRED = "The bearer expired while the answer was made."
NO_ACCESS = "There is no source here that you may read."


@dataclass(frozen=True, slots=True)
class Verdict:
    """A terminal event's type and its own fields."""

    type: Outcome
    fields: Mapping[str, Any]


def cancelled(detail: str = CANCELLED) -> Verdict:
    return error("cancelled", detail)


def error(kind: ErrorKind, detail: str) -> Verdict:
    return Verdict("error", {"kind": kind, "detail": detail})


def refusal(what: str, detail: str, source: str | None = None) -> Verdict:
    return Verdict("refusal", {"what": what, "source": source, "detail": detail})


def of_failure(failure: api.KebabError, *, in_full: bool) -> Verdict:
    """`in_full`: the caller is the owner, who may read of paths and addresses."""
    if isinstance(failure, api.RateLimited):
        said = failure.message if in_full else "The chat model takes no more questions just now."
        return refusal("rate_limit", said)
    kind: ErrorKind = "internal"
    said = "The service could not answer."
    if isinstance(failure, api.ModelError | api.TimedOut):
        kind, said = "model", "The chat model did not answer."
    if in_full:
        said = f"{failure.message} {failure.hint}" if failure.hint else failure.message
    return error(kind, said)


def of_answer(
    answer: api.Answer,
    question: str,
    hits: Mapping[int, api.Hit],
    *,
    tool_calls: int,
    blocked: Sequence[str],
) -> Verdict:
    """`hits` by their number in the run; `blocked` names the calls that the guard refused."""
    if answer.refusal_reason == "max_rounds":
        return error("max_steps", answer.answer)
    if answer.refusal_reason == "access":
        return refusal("access", NO_ACCESS)
    grounded = answer.grounded
    if blocked and not grounded:
        return refusal("guard", f"A tool call was refused: {blocked[0]}.")
    if answer.refusal_reason == "guard":
        return refusal("guard", "A tool call was refused.")
    if answer.not_found:
        return Verdict("abstention", {"text": answer.answer, "searched_terms": key_terms(question)})
    caveats = list(answer.caveats)
    caveats += [f"A tool call was refused and is not part of this answer: {it}." for it in blocked]
    detail = "The first search was enough."
    if tool_calls:
        detail = f"{tool_calls} further tool call{'' if tool_calls == 1 else 's'}."
    return Verdict(
        "answer",
        {
            "text": answer.answer,
            "path": Path(speed="full" if tool_calls else "fast", detail=detail).model_dump(),
            "result": None,
            "headline": None,
            "provenance": [item.model_dump() for item in _provenance(answer, hits)],
            "sources": [item.model_dump() for item in _sources(answer, hits)],
            "tables": [],
            "sql": [],
            "caveats": caveats,
            "divergence": None,
        },
    )


def number(marker: str | None) -> int | None:
    """The passage that `[3]` names."""
    digits = (marker or "").strip("[]")
    return int(digits) if digits.isdecimal() else None


def _provenance(answer: api.Answer, hits: Mapping[int, api.Hit]) -> list[Provenance]:
    found = []
    for cited in answer.citations:
        place = cited.citation
        hit = hits.get(number(cited.marker) or 0)
        title = (heading(hit) or hit.title) if hit is not None else (place.title or place.path)
        found.append(
            Provenance(
                term=api.for_display(place.section or title),
                statement=cited.quote or place.uri,
                source=place.uri,
                kind=place.kind,
                marker=cited.marker,
                ref=None if hit is None else ref(hit),
                line=place.start if place.start is not None else place.line_start,
                page=place.page,
            )
        )
    return found


def _sources(answer: api.Answer, hits: Mapping[int, api.Hit]) -> list[TicketSource]:
    found = []
    for source in answer.sources:
        hit = hits.get(source.n)
        if hit is None:
            continue
        found.append(
            TicketSource(
                n=source.n,
                kind=source.kind,
                ref=ref(hit),
                permalink=permalink(hit),
                title=api.for_display(source.title),
                heading=heading(hit),
                source=source.source,
            )
        )
    return found
