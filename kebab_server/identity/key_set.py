"""An identity provider's public keys, fetched when needed and not too often."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from kebab_server.clock import Clock
from kebab_server.refused import Refused

if TYPE_CHECKING:
    from jwt import PyJWK

FRESH_S = 600.0
"""Keys are fetched again after so long."""
PAUSE_S = 10.0
"""Time between two fetches at the least: an unknown key id must not become a flood."""
TIMEOUT_S = 5.0
MAX_BYTES = 1_000_000


class KeySet:
    """Keys by id. Keys that were fetched once stay in use while the provider is away."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock
        self._keys: dict[str | None, PyJWK] = {}
        self._fetched: float | None = None
        self._tried: float | None = None
        self._lock = asyncio.Lock()

    async def key(self, key_id: str | None) -> PyJWK | None:
        """The key, None if the provider has no such one. Raises Refused (503)."""
        if key_id not in self._keys or self._is_old():
            async with self._lock:
                if (key_id not in self._keys or self._is_old()) and self._may_try():
                    await self._fetch()
        if self._fetched is None:
            raise Refused(
                503,
                "permission_denied",
                "The identity provider's keys can't be had.",
                "Try again in a moment.",
                headers={"Retry-After": str(round(PAUSE_S))},
            )
        return self._keys.get(key_id)

    def _is_old(self) -> bool:
        return self._fetched is None or self._clock.elapsed() - self._fetched > FRESH_S

    def _may_try(self) -> bool:
        return self._tried is None or self._clock.elapsed() - self._tried >= PAUSE_S

    async def _fetch(self) -> None:
        import httpx
        from jwt import PyJWKSet
        from jwt.exceptions import PyJWTError

        self._tried = self._clock.elapsed()
        try:
            async with httpx.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client:
                reply = await client.get(self._url)
                reply.raise_for_status()
            if len(reply.content) > MAX_BYTES:
                return
            found = PyJWKSet.from_dict(reply.json())
        except (httpx.HTTPError, PyJWTError, ValueError, TypeError, AttributeError):
            return
        keys = [key for key in found.keys if key.public_key_use in (None, "sig")]
        self._keys = {key.key_id: key for key in keys}
        if len(keys) == 1:
            self._keys[None] = keys[0]
        self._fetched = self._tried
