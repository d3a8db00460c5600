"""Threads that never hold up the end of the process."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class WorkerPool:
    """At most `size` daemon threads, started as they are needed; jobs beyond them wait in line."""

    def __init__(self, size: int, name: str) -> None:
        self._size = size
        self._name = name
        self._jobs: deque[Callable[[], None]] = deque()
        self._changed = threading.Condition()
        self._threads = 0
        self._idle = 0

    def submit(self, job: Callable[[], None]) -> None:
        """Run `job`, which must not raise, as soon as a thread is free."""
        with self._changed:
            self._jobs.append(job)
            if self._idle >= len(self._jobs) or self._threads == self._size:
                self._changed.notify()
                return
            self._threads += 1
            number = self._threads
        threading.Thread(target=self._work, name=f"{self._name}-{number}", daemon=True).start()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._idle += 1
                self._changed.wait_for(lambda: self._jobs)
                self._idle -= 1
                job = self._jobs.popleft()
            job()


class AbandonableExecutor(ThreadPoolExecutor):
    """A daemon thread a call: one that is stuck is left behind, nobody waits for it.

    It stands in for an event loop's default executor, whose threads the interpreter joins at
    exit, also for a name look-up that hangs. A subclass because asyncio asks for one.
    """

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()

        def call() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                result = fn(*args, **kwargs)
            except BaseException as failure:  # noqa: BLE001 - handed to whoever awaits it
                future.set_exception(failure)
            else:
                future.set_result(result)

        threading.Thread(target=call, name="kebab-blocking", daemon=True).start()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing to wait for."""
