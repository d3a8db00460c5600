"""An answer as text: what stands under its prose, in each of the three grounding states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kebab_cli import passages
from kebab_cli.output import dim, good, mark, strong, warn
from kebab_cli.passages import Line, one_line

if TYPE_CHECKING:
    from kebab_core.api import Answer, AnswerSource, SearchHit

UNCITED = "References (retrieved, not marked by the model):"


@dataclass(frozen=True, slots=True)
class Wants:
    """What the person asked to see beside the answer."""

    context: bool = False
    explain: bool = False
    width: int = 80


def lines_above(answer: Answer) -> Iterator[Line]:
    """Caveats stand above the prose: they change how it is to be read."""
    for caveat in answer.caveats:
        yield (warn("! "), caveat)


def lines_below(answer: Answer, hits: Sequence[SearchHit], wants: Wants) -> Iterator[Line]:
    """A rule, the sources (or what was nearest, and what to do next), the footer."""
    yield (dim("─" * min(wants.width, 40)),)
    sections = {hit.n: hit.section_label for hit in hits}
    if answer.not_found:
        yield from _list("Nearest passages:", answer.retrieved, sections)
        yield from _suggestions(answer)
    elif answer.grounding == "cited":
        yield from _list("Sources:", answer.sources, sections)
    elif answer.grounding == "uncited":
        yield from _list(UNCITED, answer.retrieved, sections)
    if answer.followups:
        yield (strong("Ask next:"),)
        yield from ((f"  {question}",) for question in answer.followups)
    if wants.context:
        yield from _context(answer, hits)
    if wants.explain:
        yield from _explanation(answer, hits)
    yield (dim(footer(answer)),)


def footer(answer: Answer) -> str:
    """`(2 cited · 1 search) · ollama:qwen3 · 1.4 s`."""
    cited = len(answer.sources)
    parts = [f"{cited} cited"]
    if not cited:
        parts.append(f"{answer.retrieval.chunks_returned} retrieved")
    searches = answer.retrieval.searches
    parts.append(f"{searches} search" + ("" if searches == 1 else "es"))
    model = answer.model
    name = model.provider if model.id in ("", model.provider) else f"{model.provider}:{model.id}"
    return f"({' · '.join(parts)}) · {name} · {answer.usage.latency_ms / 1000:.1f} s"


def _list(
    title: str, sources: Sequence[AnswerSource], sections: dict[int | None, str | None]
) -> Iterator[Line]:
    if not sources:
        return
    yield (strong(title),)
    for source in sources:
        label = sections.get(source.n) or source.title
        score = f" ({source.score:.2f})" if source.kind == "local" else ""
        yield (
            strong(f"[{source.n}]"),
            f" [{source.kind}] ",
            mark(one_line(source.source)),
            f' "{one_line(label)}"' if label else "",
            score,
        )


def _suggestions(answer: Answer) -> Iterator[Line]:
    if not answer.suggestions:
        return
    yield (strong("What you can do:"),)
    for suggestion in answer.suggestions:
        yield ("  ", suggestion.text)
        if suggestion.command:
            yield ("    ", mark(suggestion.command))


def _context(answer: Answer, hits: Sequence[SearchHit]) -> Iterator[Line]:
    yield (strong("Passages given to the model:"),)
    cited = {source.n for source in answer.sources}
    for hit in hits:
        number = hit.n or hit.rank
        sign = good("● cited ") if number in cited else dim("○ not cited ")
        yield (sign, *passages.heading(hit, number))
        yield from passages.whole_text(hit.snippet_full_text)
    if not hits:
        yield ("  none",)


def _explanation(answer: Answer, hits: Sequence[SearchHit]) -> Iterator[Line]:
    found = answer.retrieval
    best = "–" if found.top_score is None else f"{found.top_score:.2f}"
    limited = " · limited: a search channel did not run" if found.limited else ""
    yield (strong("How it was found:"),)
    yield (
        f"  {found.mode} · k {found.k} · best relevance {best} (bar {found.score_gate:.2f})",
        f" · {found.chunks_used} of {found.chunks_returned} passages used{limited}",
    )
    for hit in hits:
        yield (f"  [{hit.n or hit.rank}] ", mark(passages.place(hit)))
        yield ("      ", passages.how_found(hit))
