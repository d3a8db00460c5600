"""One ask between the run's thread, which tells it, and the event loop, which keeps it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from kebab_core import api
from kebab_server.clock import Clock
from kebab_server.identity.principal import Principal
from kebab_server.tickets import verdict, withholding
from kebab_server.tickets.narrator import Narrator
from kebab_server.tickets.stage import Performance
from kebab_server.tickets.ticket import Ticket
from kebab_server.tickets.verdict import Verdict

Options = Callable[[], api.AskOptions]
Ended = Callable[["TicketedAsk", api.Answer | None, api.KebabError | None], None]


class TicketedAsk:
    """The follower of a ticket's run. `on_over` is called on the loop when the ticket is over,
    `on_end` when the run's thread is done with it too, which a cancelled run's is a bit later."""

    def __init__(
        self,
        ticket: Ticket,
        question: str,
        principal: Principal,
        options: Options,
        *,
        readable: Callable[[api.Scope], bool],
        search: Mapping[str, Any],
        clock: Clock,
        on_over: Callable[[], None],
        on_end: Ended,
    ) -> None:
        self.ticket = ticket
        self.principal = principal
        self.performance: Performance | None = None
        self._question = question
        self._options = options
        self._readable = readable
        self._search = search
        self._clock = clock
        self._on_over = on_over
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._began = clock.elapsed()
        self._expired = False
        self.narrator = Narrator(
            question,
            whole=principal.is_owner,
            tell=lambda kind, fields: self._soon(ticket.tell, kind, fields),
            line=lambda event, text: self._soon(ticket.line, event, text),
        )

    def cancel(self, detail: str = verdict.CANCELLED) -> None:
        """End the ticket now and the run as soon as it can be. On the loop; idempotent."""
        performance = self.performance
        calls = () if performance is None else performance.calls
        if self.ticket.end(verdict.cancelled(detail), calls):
            self._on_over()
            if performance is not None:
                performance.cancel()

    # --- told by the run's thread --------------------------------------------------------

    def options(self) -> api.AskOptions:
        if not self._readable(self.principal.scope):
            raise _NoAccess(verdict.NO_ACCESS)
        return replace(
            self._options(),
            scope=self.principal.scope,
            origin="http",
            followups=False,
            may_go_on=self._may_go_on,
        )

    def began(self) -> None:
        self._began = self._clock.elapsed()
        self.narrator.begin()

    def event(self, event: api.StreamEvent) -> None:
        if isinstance(event, api.RetrievalDone):
            ms = max(0, round((self._clock.elapsed() - self._began) * 1000))
            self.narrator.retrieved(event, ms=ms, args=self._search)
        else:
            self.narrator.event(event)

    def ended(
        self,
        answer: api.Answer | None,
        failure: api.KebabError | None,
        calls: tuple[api.ModelCall, ...],
    ) -> None:
        said = self._verdict(answer, failure)
        shown = self._shown(failure)
        self._soon(self._finish, answer, failure, shown, said, calls)

    # -------------------------------------------------------------------------------------

    def _finish(
        self,
        answer: api.Answer | None,
        failure: api.KebabError | None,
        shown: api.KebabError | None,
        said: Verdict,
        calls: tuple[api.ModelCall, ...],
    ) -> None:
        if answer is not None:
            self.ticket.model = _ref(answer)
        if self.ticket.end(said, calls, shown):
            self._on_over()
        self._on_end(self, answer, failure)

    def _verdict(self, answer: api.Answer | None, failure: api.KebabError | None) -> Verdict:
        if isinstance(failure, _NoAccess):
            return verdict.refusal("access", verdict.NO_ACCESS)
        if self._expired:
            return verdict.error("transport", verdict.EXPIRED)
        if failure is not None:
            return verdict.of_failure(failure, in_full=self.principal.is_owner)
        if answer is None:
            return verdict.cancelled()
        return verdict.of_answer(
            answer if self.principal.is_owner else withholding.answer(answer),
            self._question,
            self.narrator.hits,
            tool_calls=self.narrator.tool_calls,
            blocked=self.narrator.blocked,
        )

    def _shown(self, failure: api.KebabError | None) -> api.KebabError | None:
        """The failure as this caller may read it."""
        if failure is None or self.principal.is_owner or isinstance(failure, _NoAccess):
            return failure
        said = verdict.of_failure(failure, in_full=False)
        return type(failure)(str(said.fields["detail"]))

    def _may_go_on(self) -> bool:
        if self.principal.is_current(self._clock.now()):
            return True
        self._expired = True
        return False

    def _soon(self, call: Callable[..., object], *arguments: object) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:
            # The loop is closed: the service has gone, and its readers with it.
            return


class _NoAccess(api.PermissionDenied):
    """No source that the caller may read."""


def _ref(answer: api.Answer) -> str:
    model = answer.model
    return model.provider if model.id in ("", model.provider) else f"{model.provider}:{model.id}"
