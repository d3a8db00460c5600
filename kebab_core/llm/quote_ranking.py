"""Which pieces of the passages answer a question, and how well.

Two channels. By meaning: the cosine of question and piece. By words: the share of the question's
terms that the piece holds, each weighed by how few pieces hold it (the idf of BM25); a term that
only the heading over the piece holds counts half.

The constants were chosen on ClapNQ (dev, 143 answerable and 132 unanswerable questions), XQuAD
(en, de, zh) and KorQuAD, with eight passages a question out of the pooled collection and
all-MiniLM-L6-v2. By meaning and words, an answer holds a sentence that annotators chose in 77 %
(ClapNQ) and the words asked for in 90 % (XQuAD, en); 7 % and 4 % of these questions are given up;
answered all the same are 41 % of the questions that ask the right article for what it doesn't
say, and 10 % of those about something else altogether.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kebab_core.llm.quotable import Quotable
from kebab_core.text.terms import index_terms, query_terms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    EmbedQuery = Callable[[str], NDArray[np.float32]]
    EmbedPassages = Callable[[Sequence[str]], NDArray[np.float32]]

WORDS_WEIGHT = 0.3
"""Of the share of words beside a cosine of weight 1."""
RANK_COST = 0.01
"""Taken off for each passage that ranks above a piece's own."""
HEADING_CREDIT = 0.5
USUAL_PIECES = 50
"""Of fewer, each term's weight is reckoned as if there were so many: a handful says nothing about
how rare a term is."""
FRAGMENT_FACTOR = 0.9
BAR = 0.55
"""Least score by meaning and words."""
WORD_BARS = {"en": 0.36, "ko": 0.30, "zh": 0.15, "ja": 0.15, "th": 0.15}
"""Least score by words alone. Outside English the words that only ask ("what", "who") are among
the terms, and between characters taken in pairs more are chance, so less can be found."""
WORD_BAR = 0.25
ALONE_AT_LEAST = 0.89
"""A further piece of another passage must have this share of the best score, …"""
BESIDE_AT_LEAST = 0.67
"""… of the passage that holds the best piece, this."""
MOST_PIECES = 4
MOST_EMBEDDED = 16
"""Pieces embedded for a question; the rest is ruled out by words and rank, which on both
collections costs nothing."""
EMBEDDED_CHARS = 400
FAQ_COSINE = 0.6
"""A heading as near as this to the question probably asks it; then what follows it answers."""
FAQ_DECAY = 0.93
UNRELATED_COSINE = 0.65
"""Models that keep unrelated texts nearer than this are spread out first: those of the E5 family,
trained at a temperature of 0.01, have all cosines between 0.7 and 1."""
FEW = 8


@dataclass(frozen=True, slots=True)
class Scored:
    """A piece and its place among all pieces, which is its place in reading order."""

    place: int
    piece: Quotable
    score: float


def by_words(question: str, pieces: Sequence[Quotable], ranks: Sequence[int]) -> list[Scored]:
    """All pieces, scored by words alone. `ranks` has the rank of each one's passage, from 0."""
    asked = query_terms(question)
    held = [set(index_terms(piece.text).split()) for piece in pieces]
    headings = {piece.heading: set(index_terms(piece.heading).split()) for piece in pieces}
    frequency = Counter(term for terms in held for term in terms.intersection(asked))
    count = max(len(pieces), USUAL_PIECES)
    weights = {
        term: math.log(1 + (count - frequency[term] + 0.5) / (frequency[term] + 0.5))
        for term in asked
    }
    total = sum(weights.values()) or 1.0
    scored = []
    for place, (piece, terms, rank) in enumerate(zip(pieces, held, ranks, strict=True)):
        over = headings[piece.heading]
        share = sum(
            weight * (1 if term in terms else HEADING_CREDIT if term in over else 0)
            for term, weight in weights.items()
        )
        scored.append(Scored(place, piece, _adjusted(piece, share / total, rank)))
    return scored


def by_meaning(
    question: str,
    scored: Sequence[Scored],
    embed_query: EmbedQuery,
    embed_passages: EmbedPassages,
) -> list[Scored]:
    """The most promising of `scored` by words, scored by meaning as well. One batch is embedded."""
    promising = sorted(scored, key=lambda one: (-one.score, one.place))[:MOST_EMBEDDED]
    texts = [one.piece.text[:EMBEDDED_CHARS] for one in promising]
    under = {one.piece.heading for one in promising if one.piece.under is not None}
    headings = sorted(under - {""})
    asked = embed_query(question)
    cosines = _spread([float(cosine) for cosine in embed_passages([*texts, *headings]) @ asked])
    over = dict(zip(headings, cosines[len(texts) :], strict=True))
    found = []
    for one, own in zip(promising, cosines, strict=False):
        cosine, heading = own, over.get(one.piece.heading, 0.0)
        if heading >= FAQ_COSINE and one.piece.under is not None:
            cosine = max(own, heading * FAQ_DECAY ** (1 + one.piece.under))
        if not one.piece.whole:
            cosine *= FRAGMENT_FACTOR
        found.append(Scored(one.place, one.piece, cosine + WORDS_WEIGHT * one.score))
    return found


def best(scored: Sequence[Scored], bar: float) -> list[Scored]:
    """The one to four pieces to quote, in reading order; none if none is above the bar."""
    ranked = sorted(scored, key=lambda one: (-one.score, one.place))
    if not ranked or ranked[0].score < bar:
        return []
    first = ranked[0]
    chosen = [first]
    for one in ranked[1:]:
        share = BESIDE_AT_LEAST if one.piece.n == first.piece.n else ALONE_AT_LEAST
        if len(chosen) == MOST_PIECES or one.score < bar:
            break
        if one.score >= share * first.score and not _said(one.piece, chosen):
            chosen.append(one)
    return sorted(chosen, key=lambda one: one.place)


def _adjusted(piece: Quotable, share: float, rank: int) -> float:
    return (share if piece.whole else share * FRAGMENT_FACTOR) - RANK_COST * rank


def _spread(cosines: list[float]) -> list[float]:
    """`cosines` with unrelated texts near 0. Of enough pieces some always are unrelated."""
    if len(cosines) < FEW:
        return cosines
    floor = sorted(cosines)[len(cosines) // 10]
    if not UNRELATED_COSINE < floor < 1:
        return cosines
    return [(cosine - floor) / (1 - floor) for cosine in cosines]


def _said(piece: Quotable, chosen: Sequence[Scored]) -> bool:
    """Whether the words of `piece` are nearly those of a chosen one (Jaccard of 0.7 or more)."""
    words = set(index_terms(piece.text).split())
    for one in chosen:
        others = set(index_terms(one.piece.text).split())
        if len(words & others) >= 0.7 * len(words | others):
            return True
    return False
