"""The line under an answer that says which passages it rests on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.style import Style

from kebab_tui.turn import Phase, Request, TurnRecord
from kebab_tui.words import clip, count, one_line

if TYPE_CHECKING:
    from kebab_core.api import SearchHit


def label(hit: SearchHit) -> str:
    """`leave-policy.md › Notice`, `benefits.pdf p. 14`, or a page's title."""
    if hit.kind == "web":
        return one_line(hit.title or hit.citation.uri)
    name = one_line(hit.doc_path.rsplit("/", 1)[-1])
    if hit.citation.page is not None:
        return f"{name} p. {hit.citation.page}"
    if hit.citation.slide is not None:
        return f"{name} slide {hit.citation.slide}"
    section = one_line(hit.heading_path[-1] if hit.heading_path else hit.citation.symbol or "")
    return f"{name} › {section}" if section else name


def render_citations(turn: TurnRecord, *, narrow: bool, width: int, sources_key: str) -> Content:
    """The cited passages; where the sources pane has no room, also what else was found."""
    shown = [hit for hit in turn.hits if hit.n in turn.cited]
    uncited = turn.phase is Phase.ANSWERED and not shown and bool(turn.hits)
    if uncited:
        numbers = [one.n for one in turn.answer.retrieved] if turn.answer is not None else []
        shown = [hit for hit in turn.hits if hit.n in numbers] or turn.hits[:3]
    parts = [_link(hit, width) for hit in shown]
    more = _more(turn, len(shown), sources_key) if narrow else None
    if narrow and more is not None:
        parts = [*parts[:-1], _spread(parts[-1], more, width)] if parts else [more]
    lines = [Content("\n" if narrow else "   ").join(parts)] if parts else []
    if uncited:
        head = "References (retrieved, not marked by the model)"
        lines.insert(0, Content.styled(clip(head, width), "$warning"))
    return Content("\n").join(lines)


def _link(hit: SearchHit, width: int) -> Content:
    number = f"[{hit.n}]"
    name = clip(label(hit), max(width - len(number) - 1, 4))
    text = Content.assemble((number, "$accent"), " ", (name, "$text-muted"))
    return text.stylize(Style.from_meta({"@click": f"open_passage({hit.n})"}))


def _more(turn: TurnRecord, shown: int, sources_key: str) -> Content | None:
    left = len(turn.hits) - shown
    if left <= 0:
        return None
    words = f"+{left} more" if shown else count(left, "passage")
    link = Content.assemble((words, "$text-muted"), "  ", (sources_key, "bold $primary"))
    return link.stylize(Style.from_meta({"@click": "screen.sources()"}))


def _spread(last: Content, more: Content, width: int) -> Content:
    gap = width - last.cell_length - more.cell_length
    if gap < 2:
        return Content("\n").join([last, more])
    return Content.assemble(last, " " * min(gap, 12), more)


def confined(request: Request) -> str:
    """What the question was confined to, in words."""
    parts = [f"in {one_line(' '.join(request.scope.names))}"] if request.scope else []
    if wanted := _wanted(request):
        parts.append(f"with {wanted}")
    return " · ".join(parts)


def _wanted(request: Request) -> str:
    counts = [(len(request.pinned), "pinned"), (len(request.excluded), "left out")]
    return ", ".join(f"{number} {word}" for number, word in counts if number)


def render_footer(turn: TurnRecord, again_key: str) -> Content:
    """How far the answer is grounded, and what it took."""
    answer = turn.answer
    if answer is None:
        return Content("")
    facts: list[tuple[str, str]] = []
    if turn.phase is Phase.STOPPED:
        facts.append(("stopped", "$warning"))
    elif answer.grounding == "cited":
        facts.append(("grounded", "$success"))
        facts.append((count(len(turn.cited), "source"), "$text-muted"))
    elif answer.grounding == "uncited":
        retrieved = answer.retrieval
        facts.append(("0 cited", "$warning"))
        facts.append((f"{retrieved.chunks_returned} retrieved", "$text-muted"))
        facts.append((count(retrieved.searches, "search", "searches"), "$text-muted"))
    else:
        facts.append(("not from your documents", "$warning"))
    tokens = answer.usage.completion_tokens
    if tokens:
        facts.append((count(tokens, "token"), "$text-muted"))
    if answer.truncated:
        facts.append(("cut at the model's limit", "$warning"))
    if turn.rating:
        facts.append(("good" if turn.rating > 0 else "bad", "$accent"))
    joined = Content(" · ").join([Content.styled(text, tone) for text, tone in facts])
    word = "again" + (f" with {wanted}" if (wanted := _wanted(turn.again)) else "")
    again = Content.assemble((again_key, "bold $primary"), " ", (word, "$text-muted"))
    return Content.assemble(
        joined, "   ", again.stylize(Style.from_meta({"@click": "screen.again()"}))
    )
