"""What passes events from a run's own event loop to a reader in another thread."""

from __future__ import annotations

import asyncio
import threading
from collections import deque

from kebab_core.ask.events import Final, StreamEvent


class EventQueue:
    """Bounded: its one producer waits while it is full. Readers may be in any thread.

    `end` lets a reader have what is left, `close` throws it away; both wake everyone who waits,
    and whatever is put afterwards is dropped.
    """

    def __init__(self, size: int) -> None:
        self._size: int | None = size
        self._events: deque[StreamEvent] = deque()
        self._changed = threading.Condition()
        self._over = False
        self._room: tuple[asyncio.AbstractEventLoop, asyncio.Future[None]] | None = None

    async def put(self, event: StreamEvent) -> None:
        """Wait for room, then add it. Call it from one task alone."""
        while True:
            with self._changed:
                if self._over:
                    return
                if self._size is None or len(self._events) < self._size:
                    self._events.append(event)
                    self._changed.notify()
                    return
                loop = asyncio.get_running_loop()
                room = loop.create_future()
                self._room = (loop, room)
            try:
                await room
            finally:
                with self._changed:
                    self._room = None

    def put_last(self, event: Final) -> None:
        """Add the last event, past the bound if need be: a run that is done waits for nobody."""
        with self._changed:
            if not self._over:
                self._events.append(event)
                self._over = True
                self._wake()

    def end(self) -> None:
        with self._changed:
            self._over = True
            self._wake()

    def close(self) -> None:
        with self._changed:
            self._over = True
            self._events.clear()
            self._wake()

    def unbound(self) -> None:
        """Let the producer run ahead of its reader from now on."""
        with self._changed:
            self._size = None
            self._wake()

    def get(self, timeout: float | None = None) -> StreamEvent | None:
        """The next event; None if none came within `timeout` seconds, or none ever will."""
        with self._changed:
            self._changed.wait_for(lambda: self._events or self._over, timeout)
            if not self._events:
                return None
            event = self._events.popleft()
            self._make_room()
            return event

    @property
    def is_over(self) -> bool:
        """Nothing is left, and nothing will come."""
        with self._changed:
            return self._over and not self._events

    def _wake(self) -> None:
        self._changed.notify_all()
        self._make_room()

    def _make_room(self) -> None:
        """Wake the producer. It clears `_room` under the lock, so its loop still runs here."""
        if self._room is not None:
            loop, room = self._room
            loop.call_soon_threadsafe(_settle, room)


def _settle(room: asyncio.Future[None]) -> None:
    if not room.done():
        room.set_result(None)
