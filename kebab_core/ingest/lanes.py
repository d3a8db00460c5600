"""Who reads which file: Markdown, text and code in one thread of this process, one after the
other; all else in processes apart, several at a time, each watched by a thread of its own.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Sequence

from kebab_core.ingest import extract
from kebab_core.ingest.extract.process import Closed, Process
from kebab_core.ingest.plan import ToRead
from kebab_core.ingest.prepare import Outcome, Read


class Lanes:
    """`prepare` reads one file with the given reader; `started` and `done` hear of it, from
    several threads. Processes start when there is something for them."""

    def __init__(
        self,
        prepare: Callable[[ToRead, Read], Outcome],
        started: Callable[[ToRead], None],
        done: Callable[[Outcome], None],
        *,
        workers: int,
        max_file_seconds: float,
    ) -> None:
        self._prepare = prepare
        self._started = started
        self._done = done
        self._most = workers or cores()
        self._max_file_seconds = max_file_seconds
        self._apart: queue.SimpleQueue[tuple[ToRead, bool] | None] = queue.SimpleQueue()
        self._processes: list[Process] = []
        self._threads: list[threading.Thread] = []
        self._guard = threading.Lock()
        self._is_closed = False
        self._failure: BaseException | None = None

    def run(self, tasks: Sequence[ToRead]) -> None:
        """Read all, in no certain order. Raises what `done` raises in any of the threads."""
        try:
            for task in tasks:
                if self._is_closed:
                    return
                if extract.is_read_apart(task.reader_name):
                    self._hand_over(task, is_started=False)
                else:
                    self._here(task)
        finally:
            for _ in self._threads:
                self._apart.put(None)
            for thread in self._threads:
                thread.join()
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        """From any thread: ends the processes at once, and nothing more is begun."""
        with self._guard:
            self._is_closed = True
            processes = list(self._processes)
        for process in processes:
            process.close()

    def _here(self, task: ToRead) -> None:
        self._started(task)
        try:
            outcome = self._prepare(task, extract.read_here)
        except extract.Apart:
            self._hand_over(task, is_started=True)
        else:
            self._done(outcome)

    def _hand_over(self, task: ToRead, *, is_started: bool) -> None:
        self._apart.put((task, is_started))
        if len(self._threads) >= self._most:
            return
        process = Process(self._max_file_seconds)
        with self._guard:
            if self._is_closed:
                return
            self._processes.append(process)
        name = f"kebab-read-{len(self._threads) + 1}"
        thread = threading.Thread(target=self._lane, args=(process,), name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _lane(self, process: Process) -> None:
        try:
            while (item := self._apart.get()) is not None and not self._is_closed:
                task, is_started = item
                if not is_started:
                    self._started(task)
                self._done(self._prepare(task, process.read))
        except Closed:
            return
        except BaseException as failure:  # noqa: BLE001 (raised again by `run`)
            self._failure = failure
            self.close()
        finally:
            process.close()


def cores() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
