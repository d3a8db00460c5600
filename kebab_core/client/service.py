"""The calls that one ask takes: a conversation, a ticket, its lines, a cancel."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, Self

import httpx

from kebab_core.client.address import Address
from kebab_core.client.failures import of_reply
from kebab_core.client.lines import Line, LinesDecoder
from kebab_core.errors import IOFailed
from kebab_core.llm.sse import LineTooLong

CONNECT_S = 5.0
SILENCE_S = 45.0
"""Three comments' time: a line that is silent for so long is broken."""
PATIENCE_S = 60.0
"""How long a broken line is tried again before the ask is given up."""
_PAUSES_S = (0.1, 0.2, 0.5, 1.0, 2.0)
_CANCEL_S = 1.0


class RemoteService:
    """One ask's line to another kebab. `async with` it."""

    def __init__(self, address: Address) -> None:
        self._url = address.url
        self._client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {address.token}"},
            timeout=httpx.Timeout(SILENCE_S, connect=CONNECT_S),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def ask(self, body: dict[str, Any]) -> str:
        """The ticket. Raises a KebabError."""
        conversation = await self._post("/v1/conversations", {})
        place = f"/v1/conversations/{conversation['conversation_id']}/asks"
        return str((await self._post(place, body))["ticket"])

    async def cancel(self, ticket: str) -> None:
        """Let it be ended there. Where that fails, it ends by itself."""
        try:
            async with asyncio.timeout(_CANCEL_S):
                await self._client.post(f"{self._url}/v1/asks/{ticket}/cancel")
        except (httpx.HTTPError, TimeoutError):
            return

    async def lines(self, ticket: str) -> AsyncIterator[Line]:
        """All up to `done`, each once, over as many connections as it takes.

        Raises IOFailed when the line stays broken or the other kebab has forgotten the ask.
        """
        seen, tries = 0, 0
        loop = asyncio.get_running_loop()
        alive = loop.time()
        while True:
            try:
                async for line in self._connected(ticket, seen):
                    alive, tries = loop.time(), 0
                    if line.id > seen:
                        seen = line.id
                        yield line
                        if line.event == "done":
                            return
            except httpx.TransportError as broken:
                if loop.time() - alive > PATIENCE_S:
                    raise self._unreachable(broken) from broken
            await asyncio.sleep(_PAUSES_S[min(tries, len(_PAUSES_S) - 1)])
            tries += 1
            if loop.time() - alive > PATIENCE_S:
                raise self._unreachable(None)

    async def _connected(self, ticket: str, seen: int) -> AsyncIterator[Line]:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(seen)}
        place = f"{self._url}/v1/asks/{ticket}/stream"
        async with self._client.stream("GET", place, headers=headers) as reply:
            if reply.status_code in (404, 410):
                raise IOFailed(
                    f"{self._url} has forgotten this ask: it was started again meanwhile.",
                    "Ask again.",
                )
            if reply.status_code in (429, 502, 503, 504):
                # The service or the proxy before it has a bad moment.
                raise httpx.RemoteProtocolError(f"it answered {reply.status_code}")
            if reply.status_code != 200:
                raise of_reply(reply.status_code, await reply.aread(), self._url)
            decoder = LinesDecoder()
            try:
                async for data in reply.aiter_bytes():
                    for line in decoder.feed(data):
                        yield line
            except LineTooLong as wrong:
                raise IOFailed(f"{self._url} sent a line without an end.") from wrong

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        try:
            reply = await self._client.post(f"{self._url}{path}", json=body)
        except httpx.TransportError as broken:
            raise self._unreachable(broken) from broken
        if reply.status_code not in (201, 202):
            raise of_reply(reply.status_code, reply.content, self._url)
        try:
            found: dict[str, Any] = json.loads(reply.content)
        except ValueError:
            raise of_reply(reply.status_code, reply.content, self._url) from None
        return found

    def _unreachable(self, why: Exception | None) -> IOFailed:
        kind = "" if why is None else f" ({type(why).__name__})"
        return IOFailed(
            f"{self._url} can't be reached{kind}.",
            "Check the address, and that `kebab serve` runs there.",
        )
