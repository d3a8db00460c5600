"""How long a piece of text is, in the embedder's own tokens."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kebab_core.text.clean import for_model
from kebab_core.text.scripts import HAN, HANGUL, KANA, THAI

if TYPE_CHECKING:
    from kebab_core.embed.base import Embedder

_WINDOW = 50_000
"""Characters tokenized at a time, so that a long text's spans aren't all Python objects at once."""

# About four characters a token, as English WordPiece has it; one where words aren't set apart.
_ESTIMATE = re.compile(rf"[{HAN}{KANA}{HANGUL}{THAI}]|\w{{1,4}}|[^\w\s]")
_ESTIMATED_LIMIT = 254


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """`spans` are those of `Embedder.token_spans`; `limit` the tokens the model reads."""

    spans: Callable[[str], list[tuple[int, int]]]
    limit: int

    @classmethod
    def of(cls, embedder: Embedder | None) -> Tokenizer:
        """The embedder's own, or an estimate where there is none."""
        if embedder is None:
            return cls(_estimated, _ESTIMATED_LIMIT)
        return cls(embedder.token_spans, embedder.max_tokens)

    def count(self, text: str) -> int:
        return len(self.spans(text))


class Measured:
    """A text whose tokens were found once; any piece of it is then measured by two look-ups."""

    __slots__ = ("_ends", "_starts", "text")

    def __init__(self, text: str, tokenizer: Tokenizer) -> None:
        self.text = text
        self._starts = array("Q")
        self._ends = array("Q")
        # What is embedded is the cleaned text. Without carriage returns cleaning keeps lengths.
        clean = for_model(text.replace("\r", " "))
        at = 0
        while at < len(clean):
            end = _window_end(clean, at)
            for start, stop in tokenizer.spans(clean[at:end]):
                self._starts.append(at + start)
                self._ends.append(at + stop)
            at = end

    def tokens(self, start: int, end: int) -> int:
        """Tokens of `text[start:end]`; a token that is cut counts on both sides."""
        first = bisect_left(self._starts, start)
        if first and self._ends[first - 1] > start:
            first -= 1
        return bisect_left(self._starts, end) - first

    def reach(self, start: int, budget: int, end: int) -> int:
        """The largest `stop` at most `end` for which `text[start:stop]` has `budget` tokens."""
        first = bisect_left(self._starts, start)
        if first and self._ends[first - 1] > start:
            first -= 1
        beyond = first + max(1, budget)
        if beyond >= len(self._starts):
            return end
        return min(end, max(self._starts[beyond], start + 1))

    def cuts_word(self, offset: int) -> bool:
        """Whether no whitespace parts the two sides of `offset`: what a tokenizer makes of either
        alone may then be more than its share of the whole."""
        text = self.text
        if not 0 < offset < len(text):
            return False
        return not (text[offset - 1].isspace() or text[offset].isspace())


def _window_end(text: str, at: int) -> int:
    """Where a window may end without cutting a word, if there is such a place."""
    end = at + _WINDOW
    if end >= len(text):
        return len(text)
    for gap in ("\n", " "):
        cut = text.rfind(gap, at + _WINDOW // 2, end)
        if cut > 0:
            return cut + 1
    return end


def _estimated(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _ESTIMATE.finditer(text)]
