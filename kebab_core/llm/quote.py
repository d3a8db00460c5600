"""The answerer that needs no model: it quotes the sentences of the passages that answer best.

It runs anywhere, in milliseconds, and can't invent. It answers in the passages' own words, each
with its `[n]`, and says `NOTFOUND` where none of them is about the question.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING

from kebab_core.llm.base import ChatDelta, ChatRequest, Finish, TextDelta
from kebab_core.llm.quotable import Quotable, quotables
from kebab_core.llm.quote_ranking import (
    BAR,
    WORD_BAR,
    WORD_BARS,
    Scored,
    best,
    by_meaning,
    by_words,
)
from kebab_core.text.language import detect
from kebab_core.types import Hit, Usage

if TYPE_CHECKING:
    from kebab_core.llm.quote_ranking import EmbedPassages, EmbedQuery

NOT_FOUND = "NOTFOUND"
MOST_ITEMS = 6
"""Items of a list that follow the sentence which announces them."""

_BETWEEN = {"sentence": " ", "item": "\n"}
_WORDS = re.compile(r"\s*\S+|\s+\Z")


class QuoteModel:
    """A `ChatModel` that reads `request.question` and `request.passages` alone.

    `embed_query` and `embed_passages` are an `Embedder`'s; without them, and where `reads` says
    that the embedder can't read the question's language, words alone decide. Without `reads` it
    is taken to read English.
    """

    id = "quote"
    provider = "quote"
    context_tokens = None
    can_call_tools = False

    def __init__(
        self,
        *,
        embed_query: EmbedQuery | None = None,
        embed_passages: EmbedPassages | None = None,
        reads: Callable[[str | None], bool] | None = None,
    ) -> None:
        self._embed_query = embed_query
        self._embed_passages = embed_passages
        self._reads = reads or _reads_english

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatDelta]:
        """Deltas of a word each, then `Finish`. Deterministic."""
        # On another thread: an embedder may be a server, and a run must stay cancellable.
        answer = await asyncio.to_thread(self.answer, request.question, request.passages)
        for word in _WORDS.findall(answer):
            yield TextDelta(word)
            await asyncio.sleep(0)
        yield Finish("stop", usage=Usage(), model=self.id)

    def answer(self, question: str, passages: Sequence[Hit]) -> str:
        """The whole answer as Markdown, `NOTFOUND` if no passage is about the question."""
        pieces = quotables(passages)
        rank = {hit.n if hit.n is not None else at: at - 1 for at, hit in enumerate(passages, 1)}
        scored = by_words(question, pieces, [rank[piece.n] for piece in pieces])
        language = detect(question)
        bar = WORD_BARS.get(language or "en", WORD_BAR)
        if scored and self._embed_query and self._embed_passages and self._reads(language):
            scored = by_meaning(question, scored, self._embed_query, self._embed_passages)
            bar = BAR
        chosen = best(scored, bar)
        return _written(_with_followers(chosen, pieces)) if chosen else NOT_FOUND

    async def warm(self) -> None:
        """Nothing to open."""

    async def aclose(self) -> None:
        """Nothing to close."""


def _reads_english(language: str | None) -> bool:
    return language in (None, "en")


def _with_followers(chosen: Sequence[Scored], pieces: Sequence[Quotable]) -> list[Quotable]:
    """The chosen pieces, and after one that announces a list or some code, just that."""
    places: dict[int, None] = {}
    for one in chosen:
        places[one.place] = None
        if one.piece.leads_in:
            places.update(dict.fromkeys(_following(one.place, pieces)))
    return [pieces[place] for place in sorted(places)]


def _following(place: int, pieces: Sequence[Quotable]) -> list[int]:
    found: list[int] = []
    for at in range(place + 1, min(place + 1 + MOST_ITEMS, len(pieces))):
        piece, first = pieces[at], pieces[place + 1]
        if piece.n != pieces[place].n or piece.kind == "sentence" or piece.kind != first.kind:
            break
        found.append(at)
        if piece.kind == "code":
            break
    return found


def _written(pieces: Sequence[Quotable]) -> str:
    """Sentences as a paragraph, several items as a list, code as a block; each with its `[n]`."""
    listed = sum(piece.kind in ("item", "row") for piece in pieces) > 1
    text, before = "", ""
    for piece in pieces:
        kind = piece.kind if piece.kind == "code" or listed else "sentence"
        kind = "item" if kind == "row" else kind
        if text:
            text += _BETWEEN.get(kind, "\n\n") if kind == before else "\n\n"
        text += _piece(piece, kind)
        before = kind
    return text


def _piece(piece: Quotable, kind: str) -> str:
    if kind == "code":
        runs = re.findall(r"`{3,}", piece.text)
        fence = "`" * max([3, *(len(run) + 1 for run in runs)])
        # Under the block, as nothing inside it is taken for a citation.
        return f"{fence}{piece.code_lang}\n{piece.text}\n{fence}\n[{piece.n}]"
    return f"{'- ' if kind == 'item' else ''}{piece.text} [{piece.n}]"
