"""Markers and what the tail says, as citations of passages that were really given."""

from __future__ import annotations

from collections.abc import Sequence

from kebab_core.ask import quotes
from kebab_core.ask.passages import Passages
from kebab_core.ask.stream.markers import Marker
from kebab_core.ask.tail import Tail
from kebab_core.text.clean import for_display
from kebab_core.types import Hit
from kebab_core.wire.answer import AnswerCitation, AnswerSource
from kebab_core.wire.convert import citation

NEAREST = 3


def cite(
    prose: str, markers: Sequence[Marker], tail: Tail | None, passages: Passages, question: str
) -> tuple[list[AnswerCitation], list[AnswerSource]]:
    """One citation a passage, in the order of the prose, then those that only the tail names."""
    claims = quotes.claims(prose, markers)
    judged = tail.cited if tail is not None and tail.cited is not None else ()
    unmarked = [n for n in dict.fromkeys(judged) if n in passages.numbers and n not in claims]
    numbers = [*claims, *unmarked]
    cited = [
        AnswerCitation(
            marker=f"[{n}]" if n in claims else None,
            citation=citation(passages[n]),
            quote=quotes.best(passages[n].chunk.text, claims.get(n, prose), question),
        )
        for n in numbers
    ]
    return cited, [source(passages[n]) for n in numbers]


def nearest(hits: Sequence[Hit]) -> list[AnswerSource]:
    """The three most relevant passages, whether cited or not."""
    ranked = sorted(hits, key=lambda hit: (-(hit.relevance or 0.0), hit.rank))
    return [source(hit) for hit in ranked[:NEAREST]]


def source(hit: Hit) -> AnswerSource:
    place = citation(hit)
    return AnswerSource(
        n=hit.n if hit.n is not None else hit.rank,
        kind=hit.kind,
        source=for_display(place.uri if hit.kind == "web" else place.place),
        title=for_display(hit.title),
        score=0.0 if hit.kind == "web" else (hit.relevance or 0.0),
    )
