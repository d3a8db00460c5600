"""A model's stream, closed with certainty."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from kebab_core.llm.base import ChatDelta, ChatModel, ChatRequest


@asynccontextmanager
async def deltas_of(
    model: ChatModel, request: ChatRequest
) -> AsyncIterator[AsyncIterator[ChatDelta]]:
    """The model's stream; leaving early closes it, and with it the connection."""
    stream = model.stream(request)
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
