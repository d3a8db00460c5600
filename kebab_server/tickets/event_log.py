"""Numbered frames that many readers follow, each at its own pace, from wherever it stood."""

from __future__ import annotations

import asyncio
import zlib
from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """`data` is one line of JSON, the body of a server-sent event named `event`."""

    id: int
    event: str
    data: bytes
    droppable: bool = False


class EventLog:
    """Grows until it is closed. Belongs to one event loop: call it from there alone.

    Past `size` frames the oldest droppable ones go, no others. A closed log packs itself: what is
    kept for a replay that may never come takes a fraction of its memory.
    """

    def __init__(self, size: int | None = None) -> None:
        self.last_id = 0
        self.is_closed = False
        self._size = size
        self._frames: list[Frame] = []
        self._packed: bytes | None = None
        self._heads: list[tuple[int, str, int]] = []
        self._waiting: set[asyncio.Future[None]] = set()

    def append(self, event: str, data: bytes, *, droppable: bool = False) -> int:
        """Add a frame, and wake who waits; returns its id."""
        if self.is_closed:
            raise ValueError("this log is closed")
        self.last_id += 1
        self._frames.append(Frame(self.last_id, event, data, droppable))
        if self._size is not None and len(self._frames) > self._size:
            self._drop_oldest()
        self._wake()
        return self.last_id

    def close(self) -> None:
        """Nothing comes any more. Idempotent."""
        if not self.is_closed:
            self.is_closed = True
            self._pack()
            self._wake()

    def after(self, cursor: int) -> list[Frame]:
        """The frames kept whose id is above `cursor`, in order."""
        if cursor >= self.last_id:
            return []
        frames = self._frames if self._packed is None else self._unpacked()
        return frames[bisect_right(frames, cursor, key=lambda frame: frame.id) :]

    async def wait(self, cursor: int, timeout_s: float) -> bool:
        """Whether there is something above `cursor`, or nothing ever will be, in that time."""
        if self.last_id > cursor or self.is_closed:
            return True
        woken = asyncio.get_running_loop().create_future()
        self._waiting.add(woken)
        try:
            async with asyncio.timeout(timeout_s):
                await woken
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(woken)
        return True

    def _drop_oldest(self) -> None:
        for index, frame in enumerate(self._frames):
            if frame.droppable:
                del self._frames[index]
                return

    def _wake(self) -> None:
        for woken in self._waiting:
            if not woken.done():
                woken.set_result(None)

    def _pack(self) -> None:
        self._heads = [(frame.id, frame.event, len(frame.data)) for frame in self._frames]
        self._packed = zlib.compress(b"".join(frame.data for frame in self._frames), 1)
        self._frames = []

    def _unpacked(self) -> list[Frame]:
        whole = zlib.decompress(self._packed or b"")
        frames, start = [], 0
        for number, event, length in self._heads:
            frames.append(Frame(number, event, whole[start : start + length]))
            start += length
        return frames
