"""Makes a prompt fit the model's context window, before a server cuts it silently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from kebab_core.ask import history
from kebab_core.ask.prompts.messages import grounded, passage
from kebab_core.llm.base import Message
from kebab_core.llm.tokens import estimate, estimate_messages
from kebab_core.types import HistoryTurn, Hit

DEFAULT_WINDOW = 8_192
"""Tokens, where neither the settings nor the model say how many."""
_MIN_OUTPUT = 256


@dataclass(frozen=True, slots=True)
class Fitted:
    """A prompt that fits. `left_out` counts the passages that didn't, the weakest ones."""

    messages: tuple[Message, ...]
    hits: tuple[Hit, ...]
    max_tokens: int
    left_out: int


def kept_for_output(window: int, max_tokens: int) -> int:
    """Tokens of the window that no prompt may take."""
    return min(max_tokens, max(_MIN_OUTPUT, window // 4))


def fit(
    question: str,
    hits: Sequence[Hit],
    turns: Sequence[HistoryTurn] = (),
    *,
    window: int | None,
    max_tokens: int,
    limited: bool = False,
    with_tail: bool = False,
) -> Fitted:
    """Passages first, in rank order, then earlier turns, the newest first.

    `window` None: the model has no limit. A quarter of it is kept for the answer, or `max_tokens`
    if that is less. One passage always stays.
    """
    prompted = partial(grounded, question, limited=limited, with_tail=with_tail)
    if window is None:
        prompt = prompted(hits, history.messages(turns))
        return Fitted(prompt, tuple(hits), max_tokens, 0)
    room = window - kept_for_output(window, max_tokens)
    room -= estimate_messages(prompted(()))
    kept: list[Hit] = []
    for hit in hits:
        cost = estimate(passage(hit)) + 1
        if kept and cost > room:
            break
        kept.append(hit)
        room -= cost
    earlier = history.messages(turns, min(history.MAX_TOKENS, max(0, room)))
    prompt = prompted(kept, earlier)
    output = max(_MIN_OUTPUT, window - estimate_messages(prompt))
    return Fitted(prompt, tuple(kept), min(max_tokens, output), len(hits) - len(kept))
