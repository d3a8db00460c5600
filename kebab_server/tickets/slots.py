"""How many asks of one caller run at the same time."""

from __future__ import annotations

from collections import Counter

from kebab_server.refused import too_many


class Slots:
    """`most` a caller."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken: Counter[str] = Counter()

    def take(self, caller: str) -> None:
        """Raises Refused (429) where all are taken."""
        if self._taken[caller] >= self._most:
            raise too_many("running asks", 1.0)
        self._taken[caller] += 1

    def give_back(self, caller: str) -> None:
        self._taken[caller] -= 1
        if self._taken[caller] <= 0:
            del self._taken[caller]

    @property
    def taken(self) -> int:
        return sum(self._taken.values())
