"""Passages as lines of text: where each stands, how it was found, what it says."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias
from unicodedata import east_asian_width

from kebab_cli.output import Toned, dim, mark, strong, warn

if TYPE_CHECKING:
    from kebab_core.api import SearchHit

Line: TypeAlias = tuple[object, ...]


def one_line(text: str) -> str:
    """A title or a path may hold a line end: shown, not obeyed."""
    return text.replace("\r", "␍").replace("\n", "␊").replace("\t", "␉")


def place(hit: SearchHit) -> str:
    """`path#L12-L34` (or `#page=3`, `#slide=3`, `#Sheet1!A2:F9`, `#cell=3`) as a person reads it;
    `uri` has the percent-encoded form."""
    cited = hit.citation
    path = one_line(cited.path)
    if cited.page is not None:
        return f"{path}#page={cited.page}"
    if cited.slide is not None:
        return f"{path}#slide={cited.slide}"
    if cited.sheet is not None:
        return f"{path}#{one_line(cited.sheet)}" + (f"!{cited.cell}" if cited.cell else "")
    if cited.cell is not None:
        return f"{path}#cell={cited.cell}"
    first, last = cited.start or cited.line_start, cited.end or cited.line_end
    return f"{path}#L{first}-L{last}" if first is not None else path


def heading(hit: SearchHit, number: int) -> Line:
    """`[n] [local] path#L12-L34 "Section" (0.82)`."""
    label = hit.section_label or hit.title
    parts: list[object] = [strong(f"[{number}]"), f" [{hit.kind}] ", mark(place(hit))]
    if label:
        parts.append(f' "{one_line(label)}"')
    if hit.kind == "local" and hit.relevance is not None:
        parts.append(f" ({hit.relevance:.2f})")
    if hit.stale:
        parts.append(warn(" stale"))
    return tuple(parts)


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
    flat = " ".join(text.split())
    if width is None:
        yield (indent, flat)
        return
    room = max(10, min(width, 100) - len(indent))
    wide = sum(east_asian_width(letter) in "WF" for letter in flat)
    if wide * 3 > len(flat):
        room = max(5, room // 2)
    for line in textwrap.wrap(flat, room) or [""]:
        yield (indent, line)


def whole_text(text: str, indent: str = "    ") -> Iterator[Line]:
    for line in text.strip("\n").splitlines() or [""]:
        yield (indent, line)
