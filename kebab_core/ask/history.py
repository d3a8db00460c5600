"""What of the earlier turns goes back to the model."""

from __future__ import annotations

from collections.abc import Sequence

from kebab_core.ask.stream.markers import without_markers
from kebab_core.ask.stream.not_found import WORD
from kebab_core.llm.base import Message
from kebab_core.llm.tokens import estimate_messages
from kebab_core.types import HistoryTurn

MAX_TURNS = 8
MAX_TOKENS = 4_000


def visible(turns: Sequence[HistoryTurn]) -> list[HistoryTurn]:
    """A cancelled or failed turn leaves no trace in what the model sees."""
    return [turn for turn in turns if turn.state in ("answered", "abstained")]


def messages(turns: Sequence[HistoryTurn], max_tokens: int = MAX_TOKENS) -> tuple[Message, ...]:
    """Whole turns, the newest that fit, oldest first.

    `turns` are those of `visible`. Answers lose their `[n]`: a number means another passage now.
    """
    kept: list[Message] = []
    for turn in reversed(turns[-MAX_TURNS:]):
        exchange = [
            Message("user", turn.question),
            Message("assistant", WORD if turn.answer is None else without_markers(turn.answer)),
        ]
        if estimate_messages([*exchange, *kept]) > max_tokens:
            break
        kept = exchange + kept
    return tuple(kept)
