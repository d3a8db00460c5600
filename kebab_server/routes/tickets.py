"""`/v1/conversations` and `/v1/asks`."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from kebab_core import api
from kebab_server.contract.bodies import (
    Cancelled,
    ConversationMade,
    NewAsk,
    NewConversation,
    TicketMade,
    TicketState,
)
from kebab_server.http.body import read
from kebab_server.http.event_stream import EventStream, last_event_id
from kebab_server.http.replies import reply
from kebab_server.identity.principal import Principal
from kebab_server.refused import Refused
from kebab_server.service import Service


async def open_conversation(service: Service, request: Request, who: Principal) -> Response:
    await read(request, NewConversation, service.max_body, or_nothing=True)
    made = service.desk.open(who)
    expires = service.clock.stamp(service.desk.ttl_s)
    return reply(ConversationMade(conversation_id=made.id, expires_at=expires), 201)


async def ask(service: Service, request: Request, who: Principal) -> Response:
    conversation_id = request.path_params["conversation_id"]
    service.desk.conversation(who, conversation_id)
    wanted = await read(request, NewAsk, service.max_body)
    await check_model(service, wanted.model)
    ticket = service.desk.ask(who, conversation_id, wanted)
    made = TicketMade(
        ticket=ticket.id,
        conversation_id=ticket.conversation_id,
        turn=ticket.turn,
        expires_at=service.clock.stamp(service.desk.ttl_s),
    )
    return reply(made, 202)


async def check_model(service: Service, model: str | None) -> None:
    """Raises Refused (422) for a model that can't be."""
    if model is None:
        return
    try:
        await asyncio.to_thread(service.base.model_choice, "ask", model)
    except api.KebabError as wrong:
        raise Refused(422, "invalid_input", wrong.message, wrong.hint) from None


async def events(service: Service, request: Request, who: Principal) -> Response:
    ticket = service.desk.ticket(who, request.path_params["ticket"])
    return EventStream(ticket.events, last_event_id(request), service.keep_alive_s)


async def stream(service: Service, request: Request, who: Principal) -> Response:
    ticket = service.desk.ticket(who, request.path_params["ticket"])
    return EventStream(ticket.stream, last_event_id(request), service.keep_alive_s)


async def state(service: Service, request: Request, who: Principal) -> Response:
    ticket = service.desk.ticket(who, request.path_params["ticket"])
    return reply(
        TicketState(
            ticket=ticket.id,
            conversation_id=ticket.conversation_id,
            status="finished" if ticket.is_over else "running",
            seq=ticket.events.last_id,
            terminal=ticket.terminal,
            done=ticket.done,
        )
    )


async def cancel(service: Service, request: Request, who: Principal) -> Response:
    ticket = service.desk.cancel(who, request.path_params["ticket"])
    outcome = (ticket.done or {})["outcome"]
    return reply(Cancelled(ticket=ticket.id, outcome=outcome), 202)
