"""Ends a command when a signal says so, or when nobody reads what it writes any more.

A thread of its own waits for both, because a failed write comes too late while the model is
silent, and because a Python signal handler runs in the main thread, between two of its steps:
there it could neither take a lock that the main thread holds nor interrupt foreign code.
"""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Literal, TypeAlias

Cause: TypeAlias = Literal["interrupt", "terminate", "closed"]

EXIT_CODES: dict[Cause, int] = {"interrupt": 130, "terminate": 143, "closed": 1}
_SIGNALS: dict[int, Cause] = {signal.SIGINT: "interrupt", signal.SIGTERM: "terminate"}
_REARM = 0
_QUIT = 255


class Watch:
    """`cause` says why the command was told to stop; None while it wasn't.

    Outside `guard` a signal ends the process at once, inside it calls `cancel`, and a second
    signal ends the process at once. Descriptors are watched inside `guard` alone.
    """

    def __init__(self, descriptors: Callable[[], list[int]], before_exit: Callable[[], None]):
        self.cause: Cause | None = None
        self._descriptors = descriptors
        self._before_exit = before_exit
        self._cancel: Callable[[], None] | None = None
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._wake = -1
        self._former: dict[int, object] = {}

    @property
    def exit_code(self) -> int | None:
        return None if self.cause is None else EXIT_CODES[self.cause]

    def start(self) -> None:
        """Take over SIGINT and SIGTERM. Call it from the main thread.

        Without poll() (Windows) SIGINT stays Python's KeyboardInterrupt and a closed pipe is
        noticed by the write that fails.
        """
        if self._thread is not None or not hasattr(select, "poll"):
            return
        reading, self._wake = os.pipe()
        os.set_blocking(self._wake, False)
        signal.set_wakeup_fd(self._wake, warn_on_full_buffer=False)
        for number in _SIGNALS:
            if signal.getsignal(number) != signal.SIG_IGN:
                self._former[number] = signal.signal(number, _noted_by_the_thread)
        self._thread = threading.Thread(
            target=self._run, args=(reading,), name="kebab-watch", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Give the signals back, to the screen or to the interpreter's end."""
        if self._thread is None:
            return
        signal.set_wakeup_fd(-1)
        for number in self._former:
            signal.signal(
                number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
            )
        self._former.clear()
        self._send(_QUIT)
        self._thread.join()
        self._thread = None
        os.close(self._wake)

    @contextmanager
    def guard(self, cancel: Callable[[], None], *, closed: bool = False) -> Iterator[None]:
        """Within it, being told to stop calls `cancel`, once, from the watching thread.

        `closed`: a descriptor was closed from the start, so nobody reads already.
        """
        with self._lock:
            self._cancel = cancel
        if closed:
            self._tell("closed")
        else:
            self._send(_REARM)
        try:
            yield
        finally:
            with self._lock:
                self._cancel = None
            self._send(_REARM)

    def _send(self, byte: int) -> None:
        if self._thread is not None:
            os.write(self._wake, bytes([byte]))

    def _tell(self, cause: Cause) -> None:
        with self._lock:
            cancel, first = self._cancel, self.cause is None
            if cancel is None or not first:
                return
            self.cause = cause
        cancel()

    def _run(self, reading: int) -> None:
        try:
            while self._wait(reading):
                continue
        finally:
            os.close(reading)

    def _wait(self, reading: int) -> bool:
        """One round; False when it was told to quit."""
        poll = select.poll()
        poll.register(reading, select.POLLIN)
        if self._cancel is not None and self.cause is None:
            for fd in self._descriptors():
                # No events asked for: error and hang-up are reported all the same.
                poll.register(fd, 0)
        for fd, _ in poll.poll():
            if fd != reading:
                self._tell("closed")
                continue
            for byte in os.read(reading, 64):
                if byte == _QUIT:
                    return False
                if byte in _SIGNALS:
                    self._signalled(byte)
        return True

    def _signalled(self, number: int) -> None:
        cause = _SIGNALS[number]
        with self._lock:
            at_once = self._cancel is None or self.cause in ("interrupt", "terminate")
            if not at_once and self.cause == "closed":
                return
        if at_once:
            self._before_exit()
            os._exit(EXIT_CODES[cause])
        self._tell(cause)


def _noted_by_the_thread(number: int, frame: FrameType | None) -> None:
    """The wakeup descriptor has told the watching thread already."""
