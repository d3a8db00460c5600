"""Shared by the tests of chat models: settings of their own, and a stream gathered."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from kebab_core import llm
from kebab_core.llm.base import (
    ChatDelta,
    ChatModel,
    ChatRequest,
    Finish,
    Message,
    TextDelta,
    ThinkingDelta,
    ToolCall,
    ToolSpec,
)
from kebab_core.llm.providers import parse_ref
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.load import load
from kebab_core.types import Chunk, Hit, ModelChoice

SEARCH = ToolSpec("search", "Search.", {"type": "object", "properties": {"q": {"type": "string"}}})


@dataclass
class Heard:
    """All deltas of one stream."""

    deltas: list[ChatDelta] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, TextDelta))

    @property
    def thought(self) -> str:
        return "".join(delta.text for delta in self.deltas if isinstance(delta, ThinkingDelta))

    @property
    def calls(self) -> list[ToolCall]:
        return [delta for delta in self.deltas if isinstance(delta, ToolCall)]

    @property
    def finish(self) -> Finish:
        last = self.deltas[-1]
        assert isinstance(last, Finish)
        assert sum(isinstance(delta, Finish) for delta in self.deltas) == 1
        return last


@pytest.fixture
def configure() -> Callable[..., Configuration]:
    """Settings from dotted keys: `configure({"ask.k": 3})`."""

    def make(overrides: Mapping[str, Any] | None = None) -> Configuration:
        return load(overrides=overrides)

    return make


@pytest.fixture
def connect(configure: Callable[..., Configuration]) -> Callable[..., Any]:
    """`async with connect("openai-compatible:m", {…}) as model`: as doors get it."""

    @asynccontextmanager
    async def opened(
        ref: str, overrides: Mapping[str, Any] | None = None
    ) -> AsyncIterator[ChatModel]:
        provider, name = parse_ref(ref)
        model = llm.create(ModelChoice(provider, name, "flag"), configure(overrides))
        try:
            yield model
        finally:
            await model.aclose()

    return opened


@pytest.fixture
def request_of() -> Callable[..., ChatRequest]:
    def make(
        question: str = "When does it run?", *, tools: bool = False, **more: Any
    ) -> ChatRequest:
        messages = (Message("system", "Be brief."), Message("user", question))
        return ChatRequest(messages, tools=(SEARCH,) if tools else (), **more)

    return make


@pytest.fixture
def hear() -> Callable[..., Any]:
    """Gathers a stream. `into` keeps what came, also when the stream fails."""

    async def gather(
        model: ChatModel, request: ChatRequest, into: list[ChatDelta] | None = None
    ) -> Heard:
        heard = Heard(into if into is not None else [])
        async for delta in model.stream(request):
            heard.deltas.append(delta)
        return heard

    return gather


@pytest.fixture
def passage() -> Callable[..., Hit]:
    """A passage as a run gives it to a model."""

    def make(
        text: str,
        n: int = 1,
        doc: str = "doc",
        start: int = 0,
        media: str = "markdown",
        heading_path: tuple[str, ...] = (),
        code_lang: str | None = None,
    ) -> Hit:
        chunk = Chunk(
            chunk_id=f"{doc}-{start}",
            doc_id=doc,
            source_id="notes",
            doc_path=f"{doc}.md",
            ordinal=0,
            text=text,
            start=start,
            end=start + len(text),
            line_start=1,
            line_end=1 + text.count("\n"),
            media=media,
            heading_path=heading_path,
            code_lang=code_lang,
        )
        return Hit(
            chunk=chunk,
            rank=n,
            score=1.0,
            score_kind="rrf",
            title=doc,
            indexed_at=datetime(2026, 1, 1, tzinfo=UTC),
            stale=False,
            chunker_version="1",
            index_version=1,
            n=n,
        )

    return make
