"""Reading in a process apart, so that one hostile file can neither hang nor kill a run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from kebab_core.ingest.extract.crossing import Message, receive, send, unpacked
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.types import Extraction

MAX_BYTES = 1 << 30
"""Memory that reading one file may take."""

START_SECONDS = 60

# Isolated: neither the environment nor the current folder says what is imported, but the list of
# folders of this very process.
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from kebab_core.ingest.extract.worker import main; main(int(sys.argv[2]), int(sys.argv[3]))"
)
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT")
"""Of the environment. Keys of providers are not for it."""


class Closed(Exception):
    """The reader was closed while it read, or before."""


class Process:
    """Reads one file at a time; the process behind it starts with the first, and anew after one
    that it didn't survive. `read` belongs to one thread; `close` may be called from any."""

    def __init__(self, max_seconds: float, max_bytes: int = MAX_BYTES) -> None:
        self._max_seconds = max_seconds
        self._max_bytes = max_bytes
        self._running: subprocess.Popen[bytes] | None = None
        self._watched: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self._is_ready = False
        self._is_late = False
        self._guard = threading.Lock()

    def read(self, name: str, data: bytes) -> Extraction:
        """What is in a file. Raises Skipped, Failed (also when it takes too long, too much memory,
        or kills its reader) and Closed."""
        running = self._started()
        reply = self._watched_answer(running, name, data)
        if reply is None:
            raise self._why_ended(running)
        if reply.kind.isupper():
            self._end(running)
        kind = reply.kind.lower()
        if kind == b"x":
            return unpacked(reply)
        if kind == b"s":
            raise Skipped(*json.loads(reply.head))
        if kind == b"m":
            raise Failed(f"takes more than {self._max_bytes // 1_000_000:,} MB of memory to read")
        raise Failed(json.loads(reply.head))

    def close(self) -> None:
        """Ends the process at once, whatever it is doing."""
        with self._guard:
            self._is_closed = True
            running = self._running
        if running is not None:
            self._end(running)

    def _started(self) -> subprocess.Popen[bytes]:
        with self._guard:
            if self._is_closed:
                raise Closed
            if self._running is None or self._running.poll() is not None:
                if self._running is not None:
                    _shut(self._running)
                self._running, self._is_ready = self._start(), False
            return self._running

    def _start(self) -> subprocess.Popen[bytes]:
        paths = json.dumps([os.path.abspath(path) for path in sys.path])  # noqa: PTH100
        limits = [str(max(1, round(self._max_seconds))), str(self._max_bytes)]
        try:
            return subprocess.Popen(
                [sys.executable, "-I", "-c", _PROGRAM, paths, *limits],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={name: value for name in _KEPT if (value := os.environ.get(name)) is not None},
            )
        except OSError as failure:
            raise Failed(f"no process to read it could be started: {failure.strerror}") from failure

    def _watched_answer(
        self, running: subprocess.Popen[bytes], name: str, data: bytes
    ) -> Message | None:
        """None where the process has ended before it answered."""
        requests, replies = _streams(running)
        try:
            if not self._is_ready:
                # Starting on a busy machine is no fault of the file.
                with self._watch(running, START_SECONDS):
                    self._is_ready = receive(replies) is not None
            with self._watch(running, self._max_seconds):
                send(requests, Message(b"r", name.encode("utf-8", "surrogatepass"), data))
                return receive(replies)
        except (OSError, ValueError):
            return None  # broken off, or closed by another thread

    @contextmanager
    def _watch(self, running: subprocess.Popen[bytes], seconds: float) -> Iterator[None]:
        timer = threading.Timer(seconds, self._too_late, [running])
        timer.daemon = True
        with self._guard:
            self._watched, self._is_late = running, False
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._guard:
                self._watched = None

    def _too_late(self, running: subprocess.Popen[bytes]) -> None:
        with self._guard:
            if self._watched is running:
                self._is_late = True
                running.kill()

    def _why_ended(self, running: subprocess.Popen[bytes]) -> Exception:
        self._end(running)
        if self._is_closed:
            return Closed()
        if self._is_late and not self._is_ready:
            return Failed(f"the process to read it didn't start within {START_SECONDS} s")
        if self._is_late:
            return Failed(
                f"took longer than ingest.max_file_seconds ({self._max_seconds:g} s) to read"
            )
        # A library that is refused memory may end the process before it can say so.
        status = running.returncode
        how = f"crashed ({_signal(-status)})" if status < 0 else f"ended (exit status {status})"
        return Failed(f"its reader {how}: damaged, made to do harm, or too large to read")

    def _end(self, running: subprocess.Popen[bytes]) -> None:
        running.kill()
        running.wait()
        with self._guard:
            if self._running is running:
                self._running = None
        _shut(running)


def _streams(running: subprocess.Popen[bytes]) -> tuple[BinaryIO, BinaryIO]:
    return cast("BinaryIO", running.stdin), cast("BinaryIO", running.stdout)


def _shut(running: subprocess.Popen[bytes]) -> None:
    for stream in _streams(running):
        try:
            stream.close()
        except OSError:
            continue  # what it still held for a process that is gone


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
