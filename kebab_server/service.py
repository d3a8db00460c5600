"""The parts of a running service, made once from a knowledge base."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from kebab_core import api
from kebab_server.audit import Audit
from kebab_server.clock import Clock
from kebab_server.http.event_stream import KEEP_ALIVE_S
from kebab_server.identity.bearer import bearer
from kebab_server.identity.principal import Identity, Principal
from kebab_server.rates import Rates
from kebab_server.sessions import ServiceSessions
from kebab_server.tickets.access import Access
from kebab_server.tickets.desk import Desk
from kebab_server.tickets.slots import Slots
from kebab_server.tickets.stage import Stage

Handler = Callable[["Service", Request, Principal], Awaitable[Response]]


@dataclass
class Service:
    """Belongs to one event loop. `sessions` must be those of `base`."""

    base: api.KnowledgeBase
    sessions: ServiceSessions
    identity: Identity
    clock: Clock = field(default_factory=Clock)
    keep_alive_s: float = KEEP_ALIVE_S

    def __post_init__(self) -> None:
        serve = self.settings.serve
        self.audit = Audit(self.clock)
        self.rates = Rates(serve.requests_per_minute, self.clock)
        self.slots = Slots(serve.running_asks)
        self.stage = Stage(self.base)
        self.access = Access(self.base)
        self.desk = Desk(self.stage, self.sessions, self.slots, self.access, self.clock, self.audit)

    @classmethod
    def open(
        cls,
        configuration: api.Configuration,
        identity: Identity,
        clock: Clock | None = None,
        *,
        keep_alive_s: float = KEEP_ALIVE_S,
    ) -> Service:
        """Over the workspace of `configuration`; opening is cheap."""
        ledger = api.SqliteSessions(configuration.workspace.sessions_db)
        sessions = ServiceSessions(ledger)
        base = api.KnowledgeBase.open(configuration, sessions=sessions)
        return cls(base, sessions, identity, clock or Clock(), keep_alive_s)

    @property
    def settings(self) -> api.Settings:
        return self.base.configuration.settings

    @property
    def max_body(self) -> int:
        return self.settings.serve.max_body_bytes

    async def admit(self, request: Request) -> Principal:
        """Who asks, one request taken from what they may. Raises Refused (401, 403, 429, 503)."""
        token = bearer(request.headers.get("authorization"))
        principal = await self.identity.principal(token)
        self.rates.take(principal.key)
        return principal

    def private(self, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        """An endpoint for those who are known."""

        async def endpoint(request: Request) -> Response:
            principal = await self.admit(request)
            return await handler(self, request, principal)

        return endpoint

    async def close(self) -> None:
        self.stage.close()
        await self.identity.close()
        self.base.close()
