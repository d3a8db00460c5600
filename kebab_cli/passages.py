"""Passages as lines of text: where each stands, how it was found, what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from kebab_cli.columns import cells, clip, fill
from kebab_cli.flow import Flow
from kebab_cli.output import Toned, dim, mark, strong, warn
from kebab_core.api import for_display

if TYPE_CHECKING:
    from kebab_core.api import SearchHit

Line: TypeAlias = tuple[object, ...]
_LEAST_LABEL = 12
"""Columns that a title keeps, however narrow the terminal."""


def one_line(text: str) -> str:
    """A title or a path may hold a line end: shown, not obeyed."""
    return text.replace("\r", "␍").replace("\n", "␊").replace("\t", "␉")


def place(hit: SearchHit) -> str:
    """Where a passage stands, on one line."""
    return one_line(hit.citation.place)


def heading(hit: SearchHit, number: int, width: int | None = None) -> Line:
    """`[n] [local] path#L12-L34 "Section" (0.82)`; a section that doesn't fit is cut."""
    score = ""
    if hit.kind == "local" and hit.relevance is not None:
        score = f" ({hit.relevance:.2f})"
    stale = " stale" if hit.stale else ""
    kind, where = f" [{hit.kind}] ", place(hit)
    label = one_line(hit.section_label or hit.title)
    taken = f'[{number}]{kind}{for_display(where)} ""{score}{stale}'
    return (
        strong(f"[{number}]"),
        kind,
        mark(where),
        f' "{clipped(label, taken, width)}"' if label else "",
        score,
        warn(stale),
    )


def clipped(label: str, beside: str, width: int | None) -> str:
    """As much of a title as there is room for beside the rest of its line."""
    if width is None:
        return label
    return clip(for_display(label), max(_LEAST_LABEL, width - cells(beside)))


def how_found(hit: SearchHit) -> Toned:
    """Scores and ranks of each channel on one line."""
    detail = hit.retrieval
    found = []
    if detail.fusion_score is not None:
        found.append(f"fused {detail.fusion_score:.4f}")
    found.append(_channel("meaning", detail.vector_rank, detail.vector_score))
    found.append(_channel("words", detail.lexical_rank, detail.lexical_score))
    if detail.rerank_score is not None:
        found.append(f"reranked {detail.rerank_score:.3f}")
    return dim(" · ".join(found))


def _channel(name: str, rank: int | None, score: float | None) -> str:
    if rank is None:
        return f"{name} –"
    return f"{name} #{rank}" + (f" ({score:.3f})" if score is not None else "")


def snippet_lines(text: str, width: int | None, indent: str = "    ") -> Iterator[Line]:
    """`text` filled to so many columns; None (no terminal) leaves it on one line."""
    yield from ((line,) for line in fill(text, width, indent))


def whole_text(text: str, width: int | None = None, indent: str = "    ") -> Iterator[Line]:
    """All lines, indented; on a terminal of `width` columns those that are longer go on below."""
    for line in text.strip("\n").splitlines() or [""]:
        if width is None:
            yield (indent, line)
            continue
        flown = Flow(width - len(indent)).feed(for_display(line).expandtabs(4))
        yield from ((indent, part) for part in flown.split("\n"))
