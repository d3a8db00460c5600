"""Who asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from kebab_core import api


@dataclass(frozen=True, slots=True)
class Principal:
    """`key` tells callers apart, `name` is for the log, `expires` is in seconds since 1970.

    `readers` are the names a source may list; None is the owner, who reads everything.
    """

    key: str
    name: str
    readers: frozenset[str] | None = None
    expires: float | None = None

    @property
    def scope(self) -> api.Scope:
        return api.Scope(self.readers)

    @property
    def is_owner(self) -> bool:
        return self.readers is None

    def is_current(self, now: float) -> bool:
        """Whether the bearer still holds."""
        return self.expires is None or now < self.expires


class Identity(Protocol):
    """Tells a bearer's principal."""

    async def principal(self, bearer: str) -> Principal:
        """Raises Refused: 401 for a bad one, 403 for one that may do less, 503 if nobody knows."""

    async def close(self) -> None: ...
