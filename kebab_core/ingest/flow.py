"""A bounded way from one thread to the next, which can be shut from either side."""

from __future__ import annotations

import threading
from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Shut(Exception):
    """The other side has ended; nothing more will come, or be taken."""


class Flow(Generic[T]):
    """Items in order, of at most `limit` weight together (one item may weigh more by itself)."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._items: deque[tuple[T, int]] = deque()
        self._weight = 0
        self._ended = False
        self._shut = False
        self._changed = threading.Condition()

    def put(self, item: T, weight: int = 1) -> None:
        """Wait for room. Raises Shut when nobody takes any more."""
        with self._changed:
            while self._items and self._weight + weight > self._limit and not self._shut:
                self._changed.wait()
            if self._shut:
                raise Shut
            self._items.append((item, weight))
            self._weight += weight
            self._changed.notify_all()

    def get(self) -> T:
        """Wait for the next item. Raises Shut after the last one."""
        with self._changed:
            while not self._items and not self._ended and not self._shut:
                self._changed.wait()
            if self._shut or not self._items:
                raise Shut
            item, weight = self._items.popleft()
            self._weight -= weight
            self._changed.notify_all()
            return item

    def end(self) -> None:
        """No more will be put; what is there can still be taken."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def shut(self) -> None:
        """Neither put nor taken from now on."""
        with self._changed:
            self._shut = True
            self._items.clear()
            self._changed.notify_all()
