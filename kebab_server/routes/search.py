"""`POST /v1/search`: passages without an answer."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from kebab_core import api
from kebab_server.contract.bodies import NewSearch
from kebab_server.http.body import read
from kebab_server.http.replies import reply
from kebab_server.identity.principal import Principal
from kebab_server.refused import Refused
from kebab_server.service import Service
from kebab_server.tickets import withholding


async def search(service: Service, request: Request, who: Principal) -> Response:
    wanted = await read(request, NewSearch, service.max_body)
    usual = service.base.search_options()
    options = api.SearchOptions(
        k=wanted.k or usual.k, mode=wanted.mode or usual.mode, scope=who.scope
    )
    try:
        found = await asyncio.to_thread(service.base.search, wanted.query, options)
    except api.KebabError as failure:
        raise _refused(failure, who) from failure
    return reply(found if who.is_owner else withholding.response(found))


def _refused(failure: api.KebabError, who: Principal) -> Exception:
    """As this caller may read it: the core's own words can name paths of the service's disk."""
    if failure.code == "embedder_unavailable":
        return Refused(
            422,
            "invalid_input",
            "Search by meaning isn't to be had here.",
            "Ask with the mode `lexical` or `hybrid`.",
        )
    if who.is_owner:
        return failure
    return Refused(503, "internal", "The search failed.", "Try again in a moment.")
