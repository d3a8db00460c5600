"""What one question came to, judged by what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kebab_core.evaluation.golden import Golden
from kebab_core.evaluation.measures import hit, ndcg, recall, reciprocal_rank
from kebab_core.types import Hit
from kebab_core.wire.answer import Answer

K = 10
_RECALL_AT = (5, 10)


@dataclass(frozen=True, slots=True)
class Judged:
    """`top` is the best relevance of the passages found, `answer` None where none was asked for."""

    golden: Golden
    ranking: dict[str, float]
    top: float | None
    search_ms: float
    answer: Answer | None = None
    citations_right: float | None = None
    quotes_right: float | None = None

    @property
    def abstained(self) -> bool | None:
        return None if self.answer is None else self.answer.not_found


def ranking(golden: Golden, hits: Sequence[Hit]) -> dict[str, float]:
    """The measures of a ranking; none for a question without labels.

    A passage that shows once more what an earlier one showed counts neither for nor against.
    """
    if not golden.is_labelled:
        return {}
    right = frozenset(range(len(golden.expected) + len(golden.passages)))
    found: list[object] = []
    seen: set[int] = set()
    for one in hits:
        shows = _shown(golden, one)
        if not shows:
            found.append(one.chunk.chunk_id)
        elif new := sorted(shows - seen):
            found.extend(new)
        seen |= shows
    return {
        f"ndcg@{K}": ndcg(found, right, K),
        **{f"recall@{k}": recall(found, right, k) for k in _RECALL_AT},
        "mrr": reciprocal_rank(found, right),
        "hit@1": hit(found, right),
    }


def _shown(golden: Golden, one: Hit) -> set[int]:
    """Numbers of what is expected that a passage shows."""
    places = {i for i, place in enumerate(golden.expected) if place.holds(one.chunk)}
    text = _plain(one.chunk.text)
    first = len(golden.expected)
    texts = {
        first + i
        for i, wanted in enumerate(map(_plain, golden.passages))
        if wanted in text or (text and text in wanted)
    }
    return places | texts


def citations_right(golden: Golden, answer: Answer, hits: Sequence[Hit]) -> float | None:
    """The share of an answer's citations that name what is expected; None where none can."""
    if not golden.is_labelled or not answer.citations:
        return None
    right = {one.n for one in hits if _shown(golden, one)}
    return sum(source.n in right for source in answer.sources) / len(answer.citations)


def quotes_right(golden: Golden, answer: Answer) -> float | None:
    """The share of the quotes that are one of the supporting sentences, or hold or are in one."""
    quotes = [_plain(one.quote) for one in answer.citations if one.quote]
    support = [_plain(sentence) for sentence in golden.support]
    if not quotes or not support:
        return None
    held = [any(quote in one or one in quote for one in support) for quote in quotes]
    return sum(held) / len(held)


def _plain(text: str) -> str:
    """Letters and digits alone: spaces, quotes and dashes differ from tool to tool."""
    return "".join(char for char in text.casefold() if char.isalnum())
