"""Passages that say something of their own: no copies of copies, neighbours in one piece."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from kebab_core.store import Found
from kebab_core.types import Chunk, Hit

SAME = 0.85
"""Share of common terms (Jaccard) from which two passages are nearly identical. A sentence that
differs in one number among ten words is not."""
COPIES = 2
"""How many of nearly identical passages are shown: two may be two versions that disagree."""
MOST_JOINED = 3
"""Chunks in one passage."""


def distinct(found: Iterable[tuple[Found, float]]) -> Iterator[tuple[Found, float]]:
    """In order, without what is nearly identical to `COPIES` before it."""
    kept: list[frozenset[str]] = []
    for item, score in found:
        terms = frozenset(item.terms.split())
        copies = sum(_likeness(terms, other) >= SAME for other in kept)
        if copies < COPIES:
            kept.append(terms)
            yield item, score


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    if not one or not other:
        return 0.0
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def joined(hits: Iterable[Hit], k: int) -> list[Hit]:
    """The first `k` passages, with hits of a document that overlap or touch made one.

    Such a passage has the id and the scores of its best hit, the best relevance of all, and their
    text and lines together. `hits` is read no further than needed.
    """
    passages: list[list[Hit]] = []
    for hit in hits:
        touched = next((one for one in passages if _may_join(one, hit.chunk)), None)
        if touched is not None:
            touched.append(hit)
        elif len(passages) == k:
            break
        else:
            passages.append([hit])
    return [replace(_whole(one), rank=rank) for rank, one in enumerate(passages, start=1)]


def _may_join(passage: Sequence[Hit], chunk: Chunk) -> bool:
    if len(passage) == MOST_JOINED or _place(passage[0].chunk) != _place(chunk):
        return False
    return any(hit.chunk.start <= chunk.end and chunk.start <= hit.chunk.end for hit in passage)


def _place(chunk: Chunk) -> tuple[object, ...]:
    """What one citation can name."""
    return chunk.doc_id, chunk.page, chunk.symbol, chunk.heading_path


def _whole(passage: Sequence[Hit]) -> Hit:
    best = passage[0]
    if len(passage) == 1:
        return best
    chunks = sorted((hit.chunk for hit in passage), key=lambda chunk: (chunk.start, chunk.end))
    text, end = chunks[0].text, chunks[0].end
    for chunk in chunks[1:]:
        if chunk.end > end:
            text += chunk.text[end - chunk.start :]
            end = chunk.end
    whole = replace(
        best.chunk,
        text=text,
        start=chunks[0].start,
        end=end,
        line_start=chunks[0].line_start,
        line_end=max(chunk.line_end for chunk in chunks),
        ordinal=chunks[0].ordinal,
        tokens=sum(chunk.tokens for chunk in chunks),
    )
    known = [hit.relevance for hit in passage if hit.relevance is not None]
    return replace(best, chunk=whole, relevance=max(known, default=None))
