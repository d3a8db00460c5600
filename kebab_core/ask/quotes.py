"""The sentence of a passage that a claim rests on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from kebab_core.ask.stream.markers import Marker
from kebab_core.text.clean import for_display
from kebab_core.text.sentences import sentence_spans
from kebab_core.text.terms import index_terms, query_terms

# A number shared by claim and sentence says more than a word.
_NUMBER = 2.0


def claims(prose: str, markers: Iterable[Marker]) -> dict[int, str]:
    """For each cited passage, the sentences of `prose` that cite it, joined."""
    spans = sentence_spans(prose)
    found: dict[int, list[str]] = {}
    for marker in markers:
        sentence = _sentence(prose, spans, marker.offset)
        if sentence not in (sentences := found.setdefault(marker.n, [])):
            sentences.append(sentence)
    return {n: " ".join(sentences) for n, sentences in found.items()}


def _sentence(prose: str, spans: Sequence[tuple[int, int]], offset: int) -> str:
    """The sentence around `offset`, or before it: `It is so. [1] Then …` cites the first."""
    chosen = ""
    for start, end in spans:
        if start > offset:
            break
        lead = prose[start:offset]
        if chosen and not any(char.isalpha() for char in lead):
            break
        chosen = prose[start:end]
    return chosen


def best(text: str, claim: str, question: str) -> str | None:
    """The sentence of `text`, exactly as it stands there, that supports `claim` best.

    By the terms they share, over the square root of the sentence's length so that a long one
    doesn't win by its length; where they share none (another language) by the question's terms.
    None if nothing is shared at all.
    """
    sentences = [
        (text[start:end], set(index_terms(text[start:end]).split()))
        for start, end in sentence_spans(text)
    ]
    for wanted in (query_terms(claim), query_terms(question)):
        scored = [(_score(set(wanted), terms), sentence) for sentence, terms in sentences]
        score, sentence = max(scored, key=lambda pair: pair[0], default=(0.0, ""))
        if score > 0:
            return for_display(sentence)
    return None


def _score(wanted: set[str], terms: set[str]) -> float:
    shared = wanted & terms
    weight = sum(_NUMBER if any(char.isdigit() for char in term) else 1.0 for term in shared)
    return weight / math.sqrt(len(terms) + 1)
