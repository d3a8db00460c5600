"""A clock that a test moves."""

from __future__ import annotations

from kebab_server.clock import Clock


class MovedClock(Clock):
    """The real one, ahead by what a test says: both clocks, or the one that tells the time."""

    def __init__(self) -> None:
        self.ahead = 0.0
        self.told_ahead = 0.0

    def now(self) -> float:
        return super().now() + self.ahead + self.told_ahead

    def elapsed(self) -> float:
        return super().elapsed() + self.ahead
