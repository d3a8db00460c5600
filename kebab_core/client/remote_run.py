"""One ask of another kebab, as whoever asked holds it."""

from __future__ import annotations

import asyncio
import json
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self, TypeAlias

from pydantic import ValidationError

from kebab_core.client.address import Address
from kebab_core.client.failures import of_error
from kebab_core.client.lines import Line
from kebab_core.client.service import RemoteService
from kebab_core.errors import Internal, IOFailed, KebabError, TimedOut
from kebab_core.wire.answer import Answer
from kebab_core.wire.answer_event import (
    AnswerEvent,
    FinalEvent,
    RetrievalDoneEvent,
    SearchEvent,
    TokenEvent,
)
from kebab_core.wire.broken_off import broken_off

RemoteEvent: TypeAlias = RetrievalDoneEvent | TokenEvent | FinalEvent | SearchEvent


@dataclass(frozen=True, slots=True)
class RemoteOptions:
    """What may be said of an ask elsewhere. None leaves it to that kebab."""

    model: str | None = None
    web: bool | None = None
    chance: bool = False
    timeout_s: float | None = None

    def body(self, question: str) -> dict[str, Any]:
        said = {"question": question, "model": self.model, "web": self.web}
        found = {name: value for name, value in said.items() if value is not None}
        return {**found, "context": False} if self.chance else found


class RemoteRun:
    """Read its events, or cancel it; leaving the `with` block cancels a run that isn't over.

    The lines of `/stream`, exactly as the other kebab wrote them. When the line drops, they go on
    where they were.
    """

    def __init__(self, address: Address, question: str, options: RemoteOptions) -> None:
        self.partial: Answer | None = None
        self._address = address
        self._question = question
        self._options = options
        self._events: queue.SimpleQueue[RemoteEvent | None] = queue.SimpleQueue()
        self._failure: KebabError | None = None
        self._said: list[str] = []
        self._lock = threading.Lock()
        self._cancelled = False
        self._over = False
        self._interrupt: Callable[[], object] | None = None
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._work, name="kebab-remote", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[RemoteEvent]:
        """Events up to the end; none after a cancel. Raises the KebabError that it failed with."""
        while (event := self._events.get()) is not None:
            if self._is_cancelled():
                return
            if isinstance(event, TokenEvent):
                self._said.append(event.delta)
            yield event
        if self._failure is not None and not self._is_cancelled():
            raise self._failure

    def cancel(self, reason: str = "cancelled") -> None:
        """Stop it, from any thread; returns at once, and the other kebab is told."""
        with self._lock:
            if self._over or self._cancelled:
                return
            self._cancelled = True
            if self._interrupt is not None:
                self._interrupt()
        self._events.put(None)

    def settle(self, timeout: float) -> Answer | None:
        """Of a run that was stopped: as far as it came, once the other kebab knows."""
        self._finished.wait(timeout)
        return self._as_far() if self._is_cancelled() else self.partial

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cancel()

    # --- in its thread -------------------------------------------------------------------

    def _work(self) -> None:
        try:
            with asyncio.Runner() as runner:
                runner.run(self._main())
        except asyncio.CancelledError:
            pass
        except KebabError as failure:
            self._failure = failure
        except Exception as bug:  # noqa: BLE001 - it is told to whoever reads
            self._failure = Internal(f"Asking elsewhere failed ({type(bug).__name__}).")
            self._failure.__cause__ = bug
        finally:
            with self._lock:
                self._over = True
            self._finished.set()
            self._events.put(None)

    async def _main(self) -> None:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        with self._lock:
            if self._cancelled or task is None:
                return
            self._interrupt = lambda: loop.call_soon_threadsafe(task.cancel)
        try:
            async with asyncio.timeout(self._options.timeout_s):
                await self._ask()
        except TimeoutError as late:
            self.partial = self._as_far()
            raise TimedOut(
                f"No answer within {self._options.timeout_s:g} s.",
                "Give it more time with `--timeout SECONDS`.",
            ) from late
        finally:
            with self._lock:
                self._interrupt = None

    async def _ask(self) -> None:
        async with RemoteService(self._address) as service:
            ticket = await service.ask(self._options.body(self._question))
            try:
                async for line in service.lines(ticket):
                    if line.event == "done":
                        self._check_end(line)
                    else:
                        self._tell(line)
            except asyncio.CancelledError:
                # The second cancel of a shielded call would lose it: it has a time limit itself.
                await asyncio.shield(service.cancel(ticket))
                raise

    def _tell(self, line: Line) -> None:
        try:
            if line.event == "answer_event":
                self._events.put(AnswerEvent.model_validate_json(line.data).root)
            elif line.event == "search_event":
                self._events.put(SearchEvent.model_validate_json(line.data))
            elif line.event == "error":
                self._failure = of_error(json.loads(line.data))
        except ValueError as wrong:
            if isinstance(wrong, ValidationError | json.JSONDecodeError):
                raise IOFailed(
                    f"{self._address.url} sent a line that this kebab can't read.",
                    "Bring both to the same version.",
                ) from wrong
            raise

    def _check_end(self, line: Line) -> None:
        """An ask that ended elsewhere without an answer and without a failure was cancelled."""
        outcome = json.loads(line.data).get("outcome")
        if outcome == "error" and self._failure is None:
            self._failure = IOFailed(
                f"{self._address.url} cancelled the ask: it is shutting down, or somebody "
                "else with the same token did.",
                "Ask again.",
            )

    # --- as far as it came ---------------------------------------------------------------

    def _is_cancelled(self) -> bool:
        with self._lock:
            return self._cancelled

    def _as_far(self) -> Answer:
        return broken_off("".join(self._said), datetime.now(UTC), provider="remote")
