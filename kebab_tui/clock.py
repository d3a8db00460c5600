"""Time, as the screen reads it. Tests give a clock that stands still."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    def monotonic(self) -> float:
        """Seconds that only rise."""

    def now(self) -> datetime:
        """The wall clock, with the person's own time zone."""


class SystemClock:
    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now().astimezone()
