"""How often a caller may ask for something."""

from __future__ import annotations

from dataclasses import dataclass

from kebab_server.clock import Clock
from kebab_server.refused import too_many

_FORGET_ABOVE = 10_000


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Rates:
    """A bucket a caller: full it holds `per_minute` requests, and it fills in a minute."""

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def take(self, caller: str) -> None:
        """Count one request. Raises Refused (429)."""
        now = self._clock.elapsed()
        bucket = self._buckets.get(caller)
        if bucket is None:
            self._forget(now)
            bucket = self._buckets[caller] = _Bucket(self._most, now)
        bucket.left = self._filled(bucket, now)
        bucket.at = now
        if bucket.left < 1:
            raise too_many("requests", (1 - bucket.left) * 60 / self._most)
        bucket.left -= 1

    def _filled(self, bucket: _Bucket, now: float) -> float:
        return min(self._most, bucket.left + (now - bucket.at) * self._most / 60)

    def _forget(self, now: float) -> None:
        """Full buckets say nothing: drop them before there are too many."""
        if len(self._buckets) >= _FORGET_ABOVE:
            self._buckets = {
                caller: bucket
                for caller, bucket in self._buckets.items()
                if self._filled(bucket, now) < self._most
            }
