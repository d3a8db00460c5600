"""The ASGI application."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Iterable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from kebab_core import api
from kebab_server.http.guard import Guard
from kebab_server.http.replies import of_failure, of_refused
from kebab_server.openapi import text as openapi_text
from kebab_server.refused import Refused
from kebab_server.routes import answers, page, search, tickets
from kebab_server.routes.health import health
from kebab_server.service import Service

_CODES = {404: "not_found", 405: "invalid_input"}


async def openapi(request: Request) -> Response:
    return Response(openapi_text(), media_type="application/json")


def build(service: Service, allowed_hosts: Iterable[str] = ()) -> ASGIApp:
    """The application; its lifespan sweeps what has expired and closes the service at its end."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        sweeping = asyncio.create_task(service.desk.sweep_for_ever())
        try:
            yield
        finally:
            service.desk.shut_down()
            sweeping.cancel()
            await asyncio.gather(sweeping, return_exceptions=True)
            await service.close()

    private = service.private
    routes = [
        Route("/", page.show, methods=["GET"]),
        Route("/openapi.json", openapi, methods=["GET"]),
        Route("/health", health(service), methods=["GET"]),
        Route("/v1/conversations", private(tickets.open_conversation), methods=["POST"]),
        Route("/v1/conversations/{conversation_id}/asks", private(tickets.ask), methods=["POST"]),
        Route("/v1/asks/{ticket}", private(tickets.state), methods=["GET"]),
        Route("/v1/asks/{ticket}/events", private(tickets.events), methods=["GET"]),
        Route("/v1/asks/{ticket}/stream", private(tickets.stream), methods=["GET"]),
        Route("/v1/asks/{ticket}/cancel", private(tickets.cancel), methods=["POST"]),
        Route("/v1/search", private(search.search), methods=["POST"]),
        Route("/api/ask", private(answers.ask), methods=["POST"]),
        Route("/api/ask/starters", private(answers.starters), methods=["GET"]),
    ]

    async def refused(request: Request, wrong: Exception) -> Response:
        if not isinstance(wrong, Refused):
            raise wrong
        return of_refused(wrong)

    async def failed(request: Request, wrong: Exception) -> Response:
        if not isinstance(wrong, api.KebabError):
            raise wrong
        return of_failure(wrong)

    async def unrouted(request: Request, wrong: Exception) -> Response:
        if not isinstance(wrong, HTTPException):
            raise wrong
        code = _CODES.get(wrong.status_code, "invalid_input")
        made = Refused(wrong.status_code, code, f"{wrong.detail}.", headers=wrong.headers)
        return of_refused(made)

    async def broken(request: Request, wrong: Exception) -> Response:
        # Its text is left out: it may hold what was asked.
        service.audit.write(
            "request_failed",
            level=logging.ERROR,
            failure=type(wrong).__name__,
            method=request.method,
        )
        return of_refused(Refused(500, "internal", "The service failed with a bug in kebab."))

    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={
            Refused: refused,
            api.KebabError: failed,
            HTTPException: unrouted,
            Exception: broken,
        },
    )
    return Guard(app, allowed_hosts)
