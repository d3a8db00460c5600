"""One ask, as whoever asked holds it."""

from __future__ import annotations

import uuid
import weakref
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from kebab_core.ask.deps import AskDeps
from kebab_core.ask.event_queue import EventQueue
from kebab_core.ask.events import StreamEvent
from kebab_core.ask.pipeline import Pipeline
from kebab_core.ask.question import checked
from kebab_core.ask.task import RunTask
from kebab_core.ask.workers import WorkerPool
from kebab_core.errors import Internal, TimedOut
from kebab_core.types import AskOptions, ModelCall
from kebab_core.wire.answer import Answer

__all__ = ["AskDeps", "AskRun"]

MAX_RUNS = 16
"""Runs at the same time in one process; later ones wait in line."""
MAX_EVENTS = 256
"""Events that wait for their reader; then the run waits too."""

_pool = WorkerPool(MAX_RUNS, "kebab-ask")


class AskRun:
    """A run that has started. Read its events, wait for its result, or cancel it.

    ::

        with base.ask("How long is the notice period?") as run:
            for event in run:
                ...
        answer = run.result()

    Whoever holds the run owns it: leaving the `with` block, `close`, and letting the last
    reference go all cancel a run that isn't over.
    """

    def __init__(self, question: str, options: AskOptions, deps: AskDeps) -> None:
        """Start it. Raises InvalidInput; every other failure is the run's own."""
        self.id = uuid.uuid4().hex
        self.question = checked(question, options)
        self.options = options
        self._events = EventQueue(MAX_EVENTS)
        pipeline = Pipeline(self.id, self.question, options, deps, self._events)
        self._task = RunTask(pipeline, self._events, options.timeout_s)
        weakref.finalize(self, self._task.cancel, "forgotten").atexit = False
        _pool.submit(self._task)

    # --- reading -------------------------------------------------------------------------

    def __iter__(self) -> Iterator[StreamEvent]:
        """Events from where the last reader stopped, up to Final.

        Ends without one when the run was cancelled. Raises the KebabError that it failed with,
        after the events before that.
        """
        while (event := self.next_event()) is not None:
            yield event

    def next_event(self, timeout: float | None = None) -> StreamEvent | None:
        """The next event; None if none came within `timeout` seconds, or none will (`ended`).

        Raises the KebabError that the run failed with, once its events are read.
        """
        event = self._events.get(timeout)
        if event is None and self._events.is_over and self.cancelled is None:
            self._raise_failure()
        return event

    @property
    def ended(self) -> bool:
        """No event is left, and none will come."""
        return self._events.is_over

    # --- the end -------------------------------------------------------------------------

    def result(self, timeout: float | None = None) -> Answer:
        """Wait until the run is over and its turn kept.

        The Answer; the partial one if it was cancelled. Raises the KebabError that it failed
        with, and TimedOut if it isn't over within `timeout` seconds (it goes on then). Events
        that nobody has read keep; waiting here doesn't need a reader.
        """
        self._events.unbound()
        if not self._task.wait(timeout):
            raise TimedOut(f"The run isn't over after {timeout:g} s.", "Wait longer or cancel it.")
        self._raise_failure()
        if self._task.answer is None:
            raise Internal("The run ended without an answer.")
        return self._task.answer

    @property
    def partial(self) -> Answer | None:
        """As far as a run came that was cancelled, timed out or broke off in its prose."""
        return self._task.partial

    @property
    def cancelled(self) -> str | None:
        """The reason of the first cancel that found the run running."""
        return self._task.cancelled

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The model calls that are over, those of the second call too."""
        return self._task.calls

    def cancel(self, reason: str = "cancelled") -> None:
        """Stop it, from any thread; returns at once. No event comes out afterwards."""
        self._task.cancel(reason)

    def close(self) -> None:
        """The reader leaves: cancel unless the run is over."""
        self._task.cancel("closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _raise_failure(self) -> None:
        if self._task.failure is not None:
            raise self._task.failure
