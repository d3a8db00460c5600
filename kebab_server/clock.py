"""Two clocks: one that tells the time, one that measures it."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class Clock:
    """Deadlines are kept on `elapsed`, so that setting the computer's clock moves none of them."""

    def now(self) -> float:
        """Seconds since 1970, as tokens count them."""
        return time.time()

    def elapsed(self) -> float:
        """Seconds since some moment; never goes back."""
        return time.monotonic()

    def stamp(self, ahead_s: float = 0.0) -> str:
        """The time, `ahead_s` seconds from now, as RFC 3339 in UTC."""
        return rfc3339(self.now() + ahead_s)


def rfc3339(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
