"""A run in its worker thread: performed once, cancelled from anywhere, kept however it ends."""

from __future__ import annotations

import asyncio
import atexit
import threading
import time
import weakref
from collections.abc import Callable

from kebab_core.ask.event_queue import EventQueue
from kebab_core.ask.events import Final
from kebab_core.ask.pipeline import Pipeline
from kebab_core.ask.workers import AbandonableExecutor
from kebab_core.errors import Internal, KebabError, NotIndexed, TimedOut
from kebab_core.types import ModelCall, TurnState
from kebab_core.wire.answer import Answer

# What a run that the process's end cancels may take to be kept.
_FAREWELL_S = 1.0
_live: weakref.WeakSet[RunTask] = weakref.WeakSet()


class RunTask:
    """`answer` is set unless the run failed; then `failure` is, and maybe `partial`."""

    def __init__(self, pipeline: Pipeline, events: EventQueue, timeout_s: float | None) -> None:
        self.answer: Answer | None = None
        self.partial: Answer | None = None
        self.failure: KebabError | None = None
        self.cancelled: str | None = None
        self._pipeline = pipeline
        self._events = events
        self._timeout_s = timeout_s
        self._asked = time.monotonic()
        self._lock = threading.Lock()
        self._started = False
        self._finished = threading.Event()
        self._interrupt: Callable[[], object] | None = None
        _live.add(self)

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """The model calls that are over by now."""
        return self._pipeline.calls

    def wait(self, timeout: float | None = None) -> bool:
        """Whether the run is over, its turn kept, within `timeout` seconds."""
        return self._finished.wait(timeout)

    def cancel(self, reason: str) -> None:
        """From any thread, any number of times. The reader gets nothing more from now on."""
        with self._lock:
            self._events.close()
            if self._finished.is_set() or self.answer is not None:
                return
            if self.cancelled is None:
                self.cancelled = reason
                if self._interrupt is not None:
                    self._interrupt()
            if not self._started:
                # Still in line for a thread: there is nothing to stop and nothing to keep.
                self._started = True
                self.answer = self.partial = self._pipeline.partial(failed=False)
                self._finished.set()

    def __call__(self) -> None:
        """Perform the run, in the worker. Never raises."""
        with self._lock:
            if self._started:
                return
            self._started = True
        try:
            self._conclude(self._perform())
        except Exception as bug:  # noqa: BLE001 - it is told to whoever waits
            self.failure = _internal(bug)
        finally:
            with self._lock:
                self._finished.set()
            self._events.end()

    def _perform(self) -> Answer | None:
        """The whole answer; None when there is none, because of `failure` or a cancel."""
        try:
            with asyncio.Runner() as runner:
                runner.get_loop().set_default_executor(AbandonableExecutor())
                return runner.run(self._main())
        except asyncio.CancelledError:
            return None
        except KebabError as failure:
            self.failure = failure
        except Exception as bug:  # noqa: BLE001 - it is told to whoever waits
            self.failure = _internal(bug)
        return None

    async def _main(self) -> Answer:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        with self._lock:
            if task is None or self.cancelled is not None:
                raise asyncio.CancelledError
            self._interrupt = lambda: loop.call_soon_threadsafe(task.cancel)
        try:
            async with asyncio.timeout(self._time_left()) as limit:
                return await self._pipeline.run()
        except TimeoutError as late:
            if not limit.expired():
                raise
            if (whole := self._pipeline.whole) is not None:
                return whole
            raise TimedOut(
                f"No answer within {self._timeout_s:g} s.",
                "Give it more time with `--timeout SECONDS`.",
            ) from late
        finally:
            with self._lock:
                self._interrupt = None

    def _time_left(self) -> float | None:
        if self._timeout_s is None:
            return None
        return max(0.0, self._asked + self._timeout_s - time.monotonic())

    def _conclude(self, answer: Answer | None) -> None:
        """Keep the turn, then let the reader have the end."""
        pipeline, conversation = self._pipeline, self._pipeline.conversation
        unbooked = pipeline.book()
        if answer is not None:
            answer = _cautioned(answer, unbooked)
            state: TurnState = "abstained" if answer.not_found else "answered"
            conversation.finish(state, answer, None, pipeline.hits)
            self.answer = _cautioned(answer, conversation.caveat)
            self._events.put_last(Final(self.answer))
        elif self.failure is None and (whole := pipeline.whole) is not None:
            self.answer = self.partial = whole
            conversation.finish("answered", whole, None, pipeline.hits)
        elif self.failure is None:
            self.answer = self.partial = pipeline.partial(failed=False)
            conversation.finish("cancelled", self.partial, None, pipeline.hits)
        elif isinstance(self.failure, NotIndexed):
            conversation.discard()
        elif isinstance(self.failure, TimedOut):
            self.partial = pipeline.partial(failed=False)
            conversation.finish("cancelled", self.partial, self.failure, pipeline.hits)
        else:
            if pipeline.has_prose:
                self.partial = pipeline.partial(failed=True)
            conversation.finish("failed", self.partial, self.failure, pipeline.hits)


def _cautioned(answer: Answer, caveat: str | None) -> Answer:
    if caveat is None or caveat in answer.caveats:
        return answer
    return answer.model_copy(update={"caveats": [*answer.caveats, caveat]})


def _internal(bug: Exception) -> Internal:
    """Its text is left out: it may hold a passage or a key."""
    failure = Internal(
        f"Answering failed with a bug in kebab ({type(bug).__name__}).",
        "Run it again with `--debug` to see where.",
    )
    failure.__cause__ = bug
    return failure


@atexit.register
def _take_leave() -> None:
    """Cancel and keep what still runs. A run that is stuck is left behind."""
    running = [task for task in _live if not task.wait(0)]
    for task in running:
        task.cancel("exit")
    deadline = time.monotonic() + _FAREWELL_S
    for task in running:
        task.wait(max(0.0, deadline - time.monotonic()))
