"""Gives out conversations and tickets, and forgets them in time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Protocol

from kebab_core import api
from kebab_server.audit import Audit
from kebab_server.clock import Clock
from kebab_server.contract.bodies import NewAsk
from kebab_server.identity.principal import Principal
from kebab_server.refused import Refused, gone, not_there
from kebab_server.sessions import ServiceSessions
from kebab_server.tickets.access import Access
from kebab_server.tickets.ask import TicketedAsk
from kebab_server.tickets.conversation import Conversation
from kebab_server.tickets.slots import Slots
from kebab_server.tickets.stage import Stage
from kebab_server.tickets.ticket import Ticket

REMEMBER_GONE_S = 3600.0
"""An expired ticket is 410 for so long, then 404."""


class Cancellable(Protocol):
    def cancel(self) -> None: ...


class Desk:
    """Belongs to one event loop."""

    def __init__(
        self,
        stage: Stage,
        sessions: ServiceSessions,
        slots: Slots,
        access: Access,
        clock: Clock,
        audit: Audit,
    ) -> None:
        serve = stage.base.configuration.settings.serve
        self.ttl_s = serve.ttl_s
        self.is_closing = False
        self._max_events = serve.max_events
        self._stage = stage
        self._sessions = sessions
        self._slots = slots
        self._access = access
        self._clock = clock
        self._audit = audit
        self._conversations: dict[str, Conversation] = {}
        self._tickets: dict[str, Ticket] = {}
        self._asks: dict[str, TicketedAsk] = {}
        self._gone: dict[str, tuple[str, float]] = {}
        self.others: set[Cancellable] = set()
        """Asks without a ticket that run, to be cancelled at the end."""
        self.settling: set[asyncio.Task[None]] = set()

    # --- conversations -------------------------------------------------------------------

    def open(self, principal: Principal) -> Conversation:
        self.refuse_while_closing()
        made = Conversation(principal.key, self._clock.elapsed())
        self._conversations[made.id] = made
        return made

    def conversation(self, principal: Principal, conversation_id: str) -> Conversation:
        """Raises Refused (404)."""
        found = self._conversations.get(conversation_id)
        if found is None or found.owner != principal.key or self._is_stale(found):
            raise not_there("conversation")
        return found

    def busy(self, conversation: Conversation) -> None:
        """Take the conversation for one ask. Raises Refused (409)."""
        if conversation.running:
            raise Refused(
                409,
                "invalid_input",
                "An ask is running in this conversation.",
                "Wait for its `done`, or cancel it.",
            )
        conversation.running += 1

    def free(self, conversation: Conversation) -> None:
        conversation.running -= 1
        conversation.touched = self._clock.elapsed()

    # --- tickets -------------------------------------------------------------------------

    def ask(self, principal: Principal, conversation_id: str, wanted: NewAsk) -> Ticket:
        """A ticket, before anything runs. Raises Refused (404, 409, 422, 429, 503)."""
        self.refuse_while_closing()
        conversation = self.conversation(principal, conversation_id)
        self.busy(conversation)
        try:
            self._slots.take(principal.key)
        except Refused:
            conversation.running -= 1
            raise
        ticket = Ticket(
            principal.key,
            conversation.id,
            conversation.take_turn(),
            clock=self._clock,
            max_events=self._max_events,
            model=wanted.model or self._usual_model(),
            effort=wanted.effort,
        )
        ask = TicketedAsk(
            ticket,
            wanted.question,
            principal,
            lambda: self._options(conversation, wanted),
            readable=self._access.reads_something,
            search=self._search_arguments(),
            clock=self._clock,
            on_over=lambda: self.free(conversation),
            on_end=self._ended,
        )
        self._tickets[ticket.id] = ticket
        self._asks[ticket.id] = ask
        ticket.accept(wanted.question)
        ask.performance = self._stage.perform(wanted.question, ask)
        return ticket

    def ticket(self, principal: Principal, ticket_id: str) -> Ticket:
        """Raises Refused: 404 for what isn't there or is another's, 410 for what has expired."""
        found = self._tickets.get(ticket_id)
        if found is not None and found.owner == principal.key:
            if self._is_expired(found):
                raise gone("ticket")
            return found
        owner, until = self._gone.get(ticket_id, (None, 0.0))
        if owner == principal.key and self._clock.elapsed() < until:
            raise gone("ticket")
        raise not_there("ticket")

    def cancel(self, principal: Principal, ticket_id: str) -> Ticket:
        """End it if it isn't over. Raises Refused (404, 410)."""
        ticket = self.ticket(principal, ticket_id)
        ask = self._asks.get(ticket.id)
        if ask is not None and not ticket.is_over:
            ask.cancel()
            self._audit.write("ask_stream_cancelled", principal=principal.name, ticket=ticket.id)
        return ticket

    def _options(self, conversation: Conversation, wanted: NewAsk) -> api.AskOptions:
        return api.AskOptions(
            session_id=conversation.session(self._sessions),
            model=wanted.model,
            web=wanted.web,
            chance=not wanted.context,
        )

    def _usual_model(self) -> str:
        return self._stage.base.configuration.settings.models.ask.model or "quote"

    def _search_arguments(self) -> Mapping[str, Any]:
        settings = self._stage.base.configuration.settings
        return {"query": None, "k": settings.ask.k, "mode": settings.search.mode}

    def _ended(
        self,
        ask: TicketedAsk,
        answer: api.Answer | None,
        failure: api.KebabError | None,
    ) -> None:
        self._asks.pop(ask.ticket.id, None)
        self._slots.give_back(ask.principal.key)
        ticket, done = ask.ticket, ask.ticket.done or {}
        terminal = ticket.terminal or {}
        name = "ask_agent_answer" if ask.narrator.tool_calls else "ask_answer"
        self._audit.write(
            name,
            level=logging.WARNING if failure is not None else logging.INFO,
            principal=ask.principal.name,
            ticket=ticket.id,
            conversation=ticket.conversation_id,
            turn=ticket.turn,
            verdict=done.get("outcome"),
            what=terminal.get("what") or terminal.get("kind"),
            failure=None if failure is None else failure.code,
            steps=ticket.steps,
            sources=[source["ref"] for source in terminal.get("sources", ())],
            model=ticket.model,
            ms=done.get("ms"),
        )
        if answer is not None and answer.model.provider not in ("quote", "ollama"):
            self._audit.note_price(ticket.model, is_known=answer.usage.usd is not None)

    # --- time ----------------------------------------------------------------------------

    def sweep(self) -> list[Conversation]:
        """Forget what has expired; returns the conversations whose turns are to be deleted."""
        now = self._clock.elapsed()
        for ticket in [item for item in self._tickets.values() if self._is_expired(item)]:
            del self._tickets[ticket.id]
            ended = ticket.ended_at if ticket.ended_at is not None else now
            self._gone[ticket.id] = (ticket.owner, ended + self.ttl_s + REMEMBER_GONE_S)
        self._gone = {key: value for key, value in self._gone.items() if now < value[1]}
        stale = [item for item in self._conversations.values() if self._is_stale(item)]
        for conversation in stale:
            del self._conversations[conversation.id]
        return stale

    async def sweep_for_ever(self) -> None:
        """Sweep now and then until cancelled."""
        while True:
            await asyncio.sleep(min(max(self.ttl_s / 10, 0.05), 30.0))
            for conversation in self.sweep():
                await asyncio.to_thread(conversation.forget, self._sessions)

    def _is_expired(self, ticket: Ticket) -> bool:
        ended = ticket.ended_at
        return ended is not None and self._clock.elapsed() - ended >= self.ttl_s

    def _is_stale(self, conversation: Conversation) -> bool:
        idle = self._clock.elapsed() - conversation.touched
        return not conversation.running and idle >= self.ttl_s

    # --- the end -------------------------------------------------------------------------

    def refuse_while_closing(self) -> None:
        """Raises Refused (503)."""
        if self.is_closing:
            raise Refused(
                503,
                "internal",
                "The service is shutting down.",
                "Try again in a moment.",
                headers={"Retry-After": "5"},
            )

    def shut_down(self) -> None:
        """Take no more asks; those that run end in `error{cancelled}` and `done`."""
        self.is_closing = True
        for ask in list(self._asks.values()):
            ask.cancel("The service is shutting down.")
        for other in list(self.others):
            other.cancel()

    @property
    def running(self) -> int:
        """Asks whose thread isn't done."""
        return len(self._asks)
