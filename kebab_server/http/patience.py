"""HTTP/1.1 with a limit on how long a client may take over its headers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

HEADERS_TIMEOUT_S = 15.0


class ImpatientH11(H11Protocol):
    """Closes a connection whose request doesn't come whole within the limit.

    It starts with the connection, and with the first byte after a request; waiting between two
    requests has a limit of its own.
    """

    headers_timeout_s = HEADERS_TIMEOUT_S
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast("asyncio.Transport", transport))
        self._arm()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._disarm()
        elif self.cycle is None or self.cycle.response_complete:
            self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        super().connection_lost(exc)

    def _arm(self) -> None:
        if self._deadline is None:
            close: Callable[[], None] = self._give_up
            self._deadline = self.loop.call_later(self.headers_timeout_s, close)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()
