"""Server-sent events of a log: replayed from where the reader stood, then as they come."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from kebab_server.refused import Refused
from kebab_server.tickets.event_log import EventLog, Frame

KEEP_ALIVE_S = 15.0
KEEP_ALIVE = b": keep-alive\n\n"
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    # Proxies that know it pass each event on at once.
    "X-Accel-Buffering": "no",
}
_MOST_AT_ONCE = 64


def last_event_id(request: Request) -> int:
    """Where to resume; 0 replays all. Raises Refused (422) for what isn't an id."""
    text = request.headers.get("last-event-id", "").strip()
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise Refused(
            422,
            "invalid_input",
            "Last-Event-ID is no id of this stream.",
            "Send the last `id:` you have seen, or none.",
        )
    return int(text)


def encode(frames: Sequence[Frame]) -> bytes:
    return b"".join(
        b"id: %d\nevent: %s\ndata: %s\n\n" % (frame.id, frame.event.encode(), frame.data)
        for frame in frames
    )


class EventStream(Response):
    """Follows `log` from above `cursor` until it is closed or the client has gone."""

    def __init__(self, log: EventLog, cursor: int, keep_alive_s: float = KEEP_ALIVE_S) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._log = log
        self._cursor = cursor
        self._keep_alive_s = keep_alive_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send(
            {
                "type": "http.response.start",
                "status": self.status_code,
                "headers": self.raw_headers,
            }
        )
        await follow(self._tell(send), left(receive))

    async def _tell(self, send: Send) -> None:
        # A first byte at once: the reader knows that it is heard.
        await _send(send, b"retry: 1000\n\n")
        while True:
            frames = self._log.after(self._cursor)
            for start in range(0, len(frames), _MOST_AT_ONCE):
                some = frames[start : start + _MOST_AT_ONCE]
                await _send(send, encode(some))
                self._cursor = some[-1].id
            if self._log.is_closed and self._cursor >= self._log.last_id:
                break
            if not await self._log.wait(self._cursor, self._keep_alive_s):
                await _send(send, KEEP_ALIVE)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def follow(
    telling: Coroutine[object, object, None], leaving: Coroutine[object, object, None]
) -> None:
    """Tell until all is told or the client has gone, whichever comes first."""
    tasks = [asyncio.create_task(telling), asyncio.create_task(leaving)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    for outcome in outcomes:
        # A client that leaves in the middle of a write is no failure.
        if isinstance(outcome, Exception) and not isinstance(outcome, OSError):
            raise outcome


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def left(receive: Receive) -> None:
    """Wait until the client has gone. Its body must have been read."""
    while (await receive())["type"] != "http.disconnect":
        continue
