"""An answer as text: what stands under its prose, in each of the three grounding states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kebab_cli import passages
from kebab_cli.columns import cells, fill
from kebab_cli.flow import Flow
from kebab_cli.output import dim, good, mark, strong, warn
from kebab_cli.passages import Line, one_line
from kebab_core.api import for_display

if TYPE_CHECKING:
    from kebab_core.api import Answer, AnswerSource, SearchHit

UNCITED = "References (retrieved, not marked by the model):"
_RULE = 40


@dataclass(frozen=True, slots=True)
class Wants:
    """What the person asked to see beside the answer.

    `width` is None where no terminal is: lines stay whole. `menu`: the next steps follow as a
    menu, so that they aren't listed.
    """

    context: bool = False
    explain: bool = False
    menu: bool = False
    width: int | None = None


def caveat_lines(caveats: Sequence[str], width: int | None) -> Iterator[Line]:
    """Caveats stand above the prose: they change how it is to be read."""
    for caveat in caveats:
        first, *rest = fill(caveat, width, "! ", "  ")
        yield (warn(first[:2]), first[2:])
        yield from ((line,) for line in rest)


def prose_lines(answer: Answer, width: int | None) -> list[str]:
    """The answer itself, broken between words where there is a terminal."""
    if width is None:
        return [answer.answer]
    return Flow(width).feed(for_display(answer.answer)).split("\n")


def lines_below(answer: Answer, hits: Sequence[SearchHit], wants: Wants) -> Iterator[Line]:
    """A rule, the sources (or what was nearest, and what to do next), the footer."""
    width = wants.width
    yield (dim("─" * min(width or _RULE, _RULE)),)
    sections = {hit.n: hit.section_label for hit in hits}
    if answer.not_found:
        yield from _list("Nearest passages:", answer.retrieved, sections, width)
    elif answer.grounding == "cited":
        yield from _list("Sources:", answer.sources, sections, width)
    elif answer.grounding == "uncited":
        yield from _list(UNCITED, answer.retrieved, sections, width)
    if answer.gap is not None:
        yield from _gap(answer, width)
    if answer.followups:
        yield (strong("Ask next:"),)
        for question in answer.followups:
            yield from ((line,) for line in fill(question, width, "  ", "    "))
    if wants.context:
        yield from _context(answer, hits, width)
    if wants.explain:
        yield from _explanation(answer, hits, width)
    if not wants.menu:
        yield from _suggestions(answer, width)
    yield from ((dim(line),) for line in fill(footer(answer), width))


def footer(answer: Answer) -> str:
    """`(2 cited · 1 search) · ollama:qwen3 · 1.4 s`."""
    cited, found = len(answer.sources), answer.retrieval
    parts = [f"{cited} cited"]
    if not cited:
        parts.append(f"{max(found.chunks_returned, found.chunks_used)} retrieved")
    parts.append(f"{found.searches} search" + ("" if found.searches == 1 else "es"))
    if answer.grounding == "none" and not answer.not_found and not found.searches:
        parts = ["not from your documents"]
    model = answer.model
    name = model.provider if model.id in ("", model.provider) else f"{model.provider}:{model.id}"
    return f"({' · '.join(parts)}) · {name} · {answer.usage.latency_ms / 1000:.1f} s"


def _list(
    title: str,
    sources: Sequence[AnswerSource],
    sections: dict[int | None, str | None],
    width: int | None,
) -> Iterator[Line]:
    if not sources:
        return
    yield (strong(title),)
    for source in sources:
        number, kind = f"[{source.n}]", f" [{source.kind}] "
        place = one_line(source.source)
        label = one_line(sections.get(source.n) or source.title)
        score = f" ({source.score:.2f})" if source.kind == "local" else ""
        beside = f'{number}{kind}{for_display(place)} ""{score}'
        label = passages.clipped(label, beside, width)
        yield (strong(number), kind, mark(place), f' "{label}"' if label else "", score)


def _gap(answer: Answer, width: int | None) -> Iterator[Line]:
    """What the documents lack; a reason that nobody knows reads as not covered."""
    if answer.gap is None:
        return
    if answer.gap.reason == "search-limited":
        text = "A part of the search did not run, so a document may have been missed."
    elif answer.gap.suggested_title:
        text = f"Your documents leave a gap: “{one_line(answer.gap.suggested_title)}” is missing."
    else:
        text = "Your documents don't cover all of the question."
    first, *rest = fill(text, width, "! ", "  ")
    yield (warn(first[:2]), first[2:])
    yield from ((line,) for line in rest)


def _suggestions(answer: Answer, width: int | None) -> Iterator[Line]:
    if not answer.suggestions:
        return
    yield (strong("What you can do:"),)
    for suggestion in answer.suggestions:
        yield from ((line,) for line in fill(suggestion.text, width, "  "))
        if suggestion.command:
            yield ("    ", mark(suggestion.command))


def _context(answer: Answer, hits: Sequence[SearchHit], width: int | None) -> Iterator[Line]:
    yield (strong("Passages given to the model:"),)
    cited = {source.n for source in answer.sources}
    for hit in hits:
        number = hit.n or hit.rank
        sign = good("● cited ") if number in cited else dim("○ not cited ")
        room = None if width is None else width - cells(sign.text)
        yield (sign, *passages.heading(hit, number, room))
        yield from passages.whole_text(hit.snippet_full_text, width)
    if not hits:
        yield ("  none",)


def _explanation(answer: Answer, hits: Sequence[SearchHit], width: int | None) -> Iterator[Line]:
    found = answer.retrieval
    best = "–" if found.top_score is None else f"{found.top_score:.2f}"
    limited = " · limited: a search channel did not run" if found.limited else ""
    yield (strong("How it was found:"),)
    summary = (
        f"{found.mode} · k {found.k} · best relevance {best} (bar {found.score_gate:.2f})"
        f" · {found.chunks_used} of {found.chunks_returned} passages used{limited}"
    )
    yield from ((line,) for line in fill(summary, width, "  "))
    for hit in hits:
        yield (f"  [{hit.n or hit.rank}] ", mark(passages.place(hit)))
        yield ("      ", passages.how_found(hit))
