"""The chat model of a run, made and warmed beside the search."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from kebab_core.llm.base import ChatModel

_CLOSE_S = 1.0


class Connecting:
    """Begins at once. A failure to make the model waits until the model is asked for."""

    def __init__(self, make: Callable[[], ChatModel]) -> None:
        self._made: asyncio.Future[ChatModel] = asyncio.get_running_loop().run_in_executor(
            None, make
        )
        self._made.add_done_callback(lambda made: made.cancelled() or made.exception())
        self._warming = asyncio.create_task(self._warm())

    async def _warm(self) -> None:
        try:
            model = await asyncio.shield(self._made)
            if model.provider != "quote":
                await model.warm()
        except Exception:  # noqa: BLE001 - a favour: what is wrong comes again where it matters
            return

    async def within(self, seconds: float) -> ChatModel | None:
        """The model, warm if that took no longer than `seconds`; None if there is none by then."""
        await asyncio.wait({self._warming}, timeout=seconds)
        return self._made.result() if self._is_made else None

    async def model(self) -> ChatModel:
        """The model, however long it takes. Raises the KebabError that making it failed with."""
        return await asyncio.shield(self._made)

    async def close(self) -> None:
        """Hang up. A server that doesn't take leave is left after a second."""
        self._warming.cancel()
        if not self._made.done():
            self._made.cancel()
        elif self._is_made:
            await close(self._made.result())

    @property
    def _is_made(self) -> bool:
        made = self._made
        return made.done() and not made.cancelled() and made.exception() is None


async def close(model: ChatModel) -> None:
    """Hang up. A server that doesn't take leave is left after a second."""
    with suppress(TimeoutError):
        async with asyncio.timeout(_CLOSE_S):
            await model.aclose()
