"""One of the two descriptors that kebab writes to, and the two ways a write can fail."""

from __future__ import annotations

import errno
import os
import select
import stat
import sys
import time
from collections.abc import Callable

# A pipe that polls writable takes this much without blocking (POSIX: at least 512).
_PIECE = getattr(select, "PIPE_BUF", 4096)
# How long a reader that takes nothing may delay the end of a command that was told to stop.
_GRACE_S = 0.5
_GONE = {errno.EPIPE, errno.EBADF, errno.ECONNRESET, errno.ENOTCONN}


class PipeClosed(Exception):
    """Nobody reads this descriptor any more, or it was closed from the start."""


class WriteFailed(Exception):
    """A write that failed for another reason: a full disk, a lost terminal."""

    def __init__(self, stream: str, cause: OSError) -> None:
        super().__init__(f"{stream}: {cause.strerror or cause}")
        self.stream = stream
        self.cause = cause


class Stream:
    """A descriptor written to directly: nothing is left to the interpreter's flush at exit.

    A writer that blocks couldn't be told to stop, so each piece waits until the descriptor
    takes it; after `stopping` turned true, for half a second at the most.
    """

    def __init__(self, fd: int, name: str, *, closed: bool = False) -> None:
        self.fd = fd
        self.name = name
        self.closed = closed
        self.is_terminal = not closed and _is_terminal(fd)
        self.stopping: Callable[[], bool] = lambda: False
        self._is_pipe = not closed and _is_pipe(fd)

    def write(self, text: str) -> None:
        """All of `text`, as UTF-8. Raises PipeClosed or WriteFailed."""
        if self.closed:
            raise PipeClosed(self.name)
        rest = memoryview(text.encode("utf-8", "replace"))
        while rest:
            self._wait_for_room()
            piece = rest[:_PIECE] if self._is_pipe else rest
            try:
                rest = rest[self._send(piece) :]
            except BlockingIOError:
                # Somebody made the descriptor non-blocking; it polled writable for less.
                time.sleep(0.01)
            except OSError as failure:
                if failure.errno in _GONE:
                    self.closed = True
                    raise PipeClosed(self.name) from failure
                raise WriteFailed(self.name, failure) from failure

    def _send(self, piece: memoryview) -> int:
        if sys.platform == "win32" and self.is_terminal:
            # The console takes UTF-8 through its own raw file only.
            console = sys.__stdout__ if self.fd == 1 else sys.__stderr__
            if console is not None:
                console.write(str(piece, "utf-8"))
                console.flush()
                return len(piece)
        return os.write(self.fd, piece)

    def _wait_for_room(self) -> None:
        if not hasattr(select, "poll"):
            return
        poll = select.poll()
        poll.register(self.fd, select.POLLOUT)
        told_to_stop: float | None = None
        while not poll.poll(100):
            if not self.stopping():
                continue
            told_to_stop = told_to_stop or time.monotonic()
            if time.monotonic() - told_to_stop > _GRACE_S:
                self.closed = True
                raise PipeClosed(self.name)


def _is_terminal(fd: int) -> bool:
    try:
        return os.isatty(fd)
    except OSError:
        return False


def _is_pipe(fd: int) -> bool:
    mode = os.fstat(fd).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def claim_standard_descriptors() -> frozenset[int]:
    """Which of 0, 1 and 2 are closed. Each is put on the null device.

    Else the first file opened would get its number, and be written to as if it were stdout.
    """
    closed = set()
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            closed.add(fd)
            # The lowest free number is `fd` itself.
            os.open(os.devnull, os.O_RDWR)
    return frozenset(closed)
