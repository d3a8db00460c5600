"""One ask that its reader owns: leaving cancels it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from kebab_core import api
from kebab_server.answers import showing
from kebab_server.contract.bodies import PageDone, PageError, PageSource
from kebab_server.identity.principal import Principal
from kebab_server.service import Service
from kebab_server.tickets import verdict, withholding


@dataclass(frozen=True, slots=True)
class Sources:
    """First, always, even when empty."""

    sources: list[PageSource]


@dataclass(frozen=True, slots=True)
class Delta:
    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """Last. `failure` says what is to be logged."""

    result: PageDone | PageError
    answer: api.Answer | None = None
    failure: api.KebabError | None = None
    tool_calls: int = 0


Piece: TypeAlias = Sources | Delta | Ended


class Asking:
    """The follower of a run for `/api/ask`. Belongs to the loop that it is made on."""

    def __init__(
        self,
        service: Service,
        question: str,
        who: Principal,
        session: Callable[[], str | None],
    ) -> None:
        self._service = service
        self._question = question
        self._who = who
        self._session = session
        self._loop = asyncio.get_running_loop()
        self._pieces: asyncio.Queue[Piece] = asyncio.Queue()
        self._hits: dict[int, api.Hit] = {}
        self._tool_calls = 0
        self._finished = asyncio.Event()
        self._performance = service.stage.perform(question, self)

    def cancel(self) -> None:
        """From the loop; idempotent."""
        self._performance.cancel()

    async def next_piece(self, within_s: float | None = None) -> Piece | None:
        """What comes next; None if nothing came in that time. Nothing follows Ended."""
        try:
            async with asyncio.timeout(within_s):
                return await self._pieces.get()
        except TimeoutError:
            return None

    async def finished(self) -> None:
        """Wait until the run's thread is done with it."""
        await self._finished.wait()

    # --- told by the run's thread --------------------------------------------------------

    def options(self) -> api.AskOptions:
        if not self._service.access.reads_something(self._who.scope):
            raise api.PermissionDenied(verdict.NO_ACCESS, "Ask who runs this service for access.")
        session_id = self._session()
        return replace(
            api.AskOptions(origin="http", followups=True, save=session_id is not None),
            session_id=session_id,
            scope=self._who.scope,
            may_go_on=lambda: self._who.is_current(self._service.clock.now()),
        )

    def began(self) -> None:
        return

    def event(self, event: api.StreamEvent) -> None:
        match event:
            case api.RetrievalDone(hits):
                self._keep(hits)
                shown = showing.sources(self._service.base, hits, self._question)
                self._put(Sources(shown))
            case api.ToolFinished():
                self._tool_calls += 1
                self._keep(event.hits)
            case api.Token(delta):
                self._put(Delta(delta))

    def ended(
        self,
        answer: api.Answer | None,
        failure: api.KebabError | None,
        calls: tuple[api.ModelCall, ...],
    ) -> None:
        if failure is not None:
            self._put(Ended(self._error(failure), None, failure, self._tool_calls))
        elif answer is None:
            error = PageError(cause=verdict.CANCELLED, fix="Ask again.")
            self._put(Ended(error, None, None, self._tool_calls))
        else:
            given = answer if self._who.is_owner else withholding.answer(answer)
            shown = showing.done(given, self._hits)
            self._put(Ended(shown, answer, None, self._tool_calls))
        self._soon(self._finished.set)

    # -------------------------------------------------------------------------------------

    def _error(self, failure: api.KebabError) -> PageError:
        if self._who.is_owner or isinstance(failure, api.PermissionDenied):
            return PageError(cause=failure.message, fix=failure.hint or "Ask again.")
        said = verdict.of_failure(failure, in_full=False)
        return PageError(cause=str(said.fields["detail"]), fix="Ask again in a moment.")

    def _keep(self, hits: tuple[api.Hit, ...]) -> None:
        self._hits |= {hit.n: hit for hit in hits if hit.n is not None}

    def _put(self, piece: Piece) -> None:
        self._soon(self._pieces.put_nowait, piece)

    def _soon(self, call: Callable[..., object], *arguments: object) -> None:
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:
            # The loop is closed: the service has gone, and its readers with it.
            return
