"""How often prose is drawn: as smooth as the machine allows, never at the cost of the keys."""

from __future__ import annotations

import time
from collections.abc import Callable

FRAME_S = 1 / 30
SHARE = 1 / 4
"""Of one core, at the most, that drawing prose may take."""


class Pace:
    """`begin` and `end` enclose one drawing; `wait` says how long the next has to."""

    def __init__(
        self,
        wall: Callable[[], float] = time.monotonic,
        work: Callable[[], float] = time.thread_time,
    ) -> None:
        self._wall = wall
        self._work = work
        self._began_at = float("-inf")
        self._began_work: float | None = None
        self._cost = 0.0

    def begin(self) -> None:
        self._began_at = self._wall()
        self._began_work = self._work()

    def end(self) -> None:
        """The layout that the drawing caused is on the screen."""
        if self._began_work is not None:
            cost = self._work() - self._began_work
            self._began_work = None
            # One slow frame (a theme, a resize) must not slow the next ten.
            self._cost = cost if cost < self._cost else (self._cost + cost) / 2

    @property
    def idle(self) -> float:
        """Seconds since the last drawing began."""
        return self._wall() - self._began_at

    def wait(self) -> float:
        """Seconds until the next drawing may begin."""
        interval = max(FRAME_S, self._cost / SHARE)
        return max(0.0, self._began_at + interval - self._wall())
