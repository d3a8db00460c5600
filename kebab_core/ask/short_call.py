"""A question to a model whose answer nobody reads as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from kebab_core.ask.deltas import deltas_of
from kebab_core.ask.metering import Meter
from kebab_core.ask.stream.clean import Clean
from kebab_core.errors import TimedOut
from kebab_core.llm.base import ChatModel, ChatRequest, Finish, Message, TextDelta
from kebab_core.settings.model import ModelSection
from kebab_core.types import ModelCall


async def short_call(
    model: ChatModel,
    role: str,
    row: ModelSection,
    messages: tuple[Message, ...],
    *,
    within_s: float,
    count: Callable[[ModelCall], None],
) -> str:
    """All that the model writes, made safe. `count` gets the call however it ends.

    Raises the model's errors, and TimedOut after `within_s` seconds.
    """
    request = ChatRequest(
        messages=messages,
        max_tokens=row.max_tokens,
        temperature=row.temperature,
        thinking=row.thinking,
    )
    meter, clean = Meter(role, model), Clean()
    written: list[str] = []
    finish: Finish | None = None
    try:
        async with asyncio.timeout(within_s) as limit, deltas_of(model, request) as deltas:
            async for delta in deltas:
                if isinstance(delta, TextDelta):
                    written.append(clean.feed(delta.text))
                elif isinstance(delta, Finish):
                    finish = delta
    except TimeoutError as late:
        if not limit.expired():
            raise
        raise TimedOut(f"{model.id} wrote no whole answer within {within_s:g} s.") from late
    finally:
        count(meter.read(None if finish is None else finish.usage))
    return "".join(written) + clean.end()
