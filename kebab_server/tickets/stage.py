"""Where runs are followed: a thread each, as many as the core performs at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from kebab_core import api

SLOTS = 16
_FAREWELL_S = 5.0


class Follower(Protocol):
    """Told of one run, from the run's own thread here."""

    def options(self) -> api.AskOptions:
        """What to ask with, made when the run's turn has come. Raises a KebabError."""

    def began(self) -> None: ...

    def event(self, event: api.StreamEvent) -> None: ...

    def ended(
        self,
        answer: api.Answer | None,
        failure: api.KebabError | None,
        calls: tuple[api.ModelCall, ...],
    ) -> None:
        """Once, last. Neither answer nor failure: it was cancelled."""


class Stage:
    """Asks beyond the slots wait in line; one that is cancelled there never runs."""

    def __init__(self, base: api.KnowledgeBase, slots: int = SLOTS) -> None:
        self.base = base
        self._pool = ThreadPoolExecutor(slots, thread_name_prefix="kebab-follow")

    def perform(self, question: str, follower: Follower) -> Performance:
        performance = Performance(self.base.ask, question, follower)
        self._pool.submit(performance)
        return performance

    def close(self) -> None:
        """Take no more. Whatever still runs was cancelled by whoever holds it."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Performance:
    """One run, followed to its end."""

    def __init__(
        self,
        ask: Callable[[str, api.AskOptions], api.AskRun],
        question: str,
        follower: Follower,
    ) -> None:
        self._ask = ask
        self._question = question
        self._follower = follower
        self._lock = threading.Lock()
        self._cancelled = False
        self._run: api.AskRun | None = None

    @property
    def calls(self) -> tuple[api.ModelCall, ...]:
        """The model calls that are over by now."""
        run = self._run
        return () if run is None else run.calls

    def cancel(self) -> None:
        """From any thread, any number of times; returns at once."""
        with self._lock:
            self._cancelled = True
            run = self._run
        if run is not None:
            run.cancel()

    def __call__(self) -> None:
        answer: api.Answer | None = None
        failure: api.KebabError | None = None
        try:
            answer = self._follow()
        except api.KebabError as failed:
            failure = failed
        except Exception as bug:  # noqa: BLE001 - whoever waits must hear of it
            # Its text is left out: it may hold a passage.
            failure = api.Internal(f"Telling of the answer failed ({type(bug).__name__}).")
            failure.__cause__ = bug
            self.cancel()
        self._follower.ended(answer, failure, self.calls)

    def _follow(self) -> api.Answer | None:
        if self._is_cancelled():
            return None
        options = self._follower.options()
        if options.may_go_on is not None and not options.may_go_on():
            raise api.PermissionDenied("The asker's permission ran out before the run began.")
        answer: api.Answer | None = None
        self._follower.began()
        with self._ask(self._question, options) as run:
            with self._lock:
                self._run = run
            if self._is_cancelled():
                run.cancel()
            for event in run:
                if isinstance(event, api.Final):
                    answer = event.answer
                self._follower.event(event)
            if answer is None:
                self._settle(run)
        return answer

    def _is_cancelled(self) -> bool:
        with self._lock:
            return self._cancelled

    def _settle(self, run: api.AskRun) -> None:
        """A cancelled run has ended only when its model is let go."""
        try:
            run.result(_FAREWELL_S)
        except api.KebabError:
            return
