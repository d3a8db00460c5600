"""`GET /health`: whether the service takes requests, for whoever looks after it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from kebab_core.api import __version__
from kebab_server.contract.bodies import Health
from kebab_server.http.replies import reply
from kebab_server.service import Service


def health(service: Service) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        service.desk.refuse_while_closing()
        return reply(Health(version=__version__))

    return endpoint
