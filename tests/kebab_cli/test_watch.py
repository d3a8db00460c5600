"""Signals and hang-ups as a real process sees them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

PROGRAM = """
import os, sys, threading, time
from kebab_cli.watch import Watch
ended = threading.Event()
watch = Watch(lambda: [1, 2], lambda: None)
watch.start()
with watch.guard(ended.set):
    os.write(1, b"ready\\n")
    {wait}
os.write(2, (str(watch.cause) + "\\n").encode()) if {speak} else None
os._exit(watch.exit_code or 0)
"""


@contextmanager
def started(
    wait: str = "ended.wait(20)", *, speak: bool = True
) -> Iterator[subprocess.Popen[bytes]]:
    code = PROGRAM.format(wait=wait, speak=speak)
    with running(sys.executable, "-c", code) as process:
        yield process


@contextmanager
def running(*command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that has said it is ready."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield process


@pytest.mark.parametrize(
    ("number", "code", "cause"),
    [(signal.SIGINT, 130, b"interrupt"), (signal.SIGTERM, 143, b"terminate")],
)
def test_a_signal_cancels_and_names_its_code(number: int, code: int, cause: bytes) -> None:
    with started() as process:
        process.send_signal(number)
        _, said = process.communicate(timeout=5)
    assert (process.returncode, said.strip()) == (code, cause)


def test_a_second_signal_ends_at_once() -> None:
    # The cancel is heard, and the main thread takes no notice of it.
    with started("time.sleep(20)") as process:
        process.send_signal(signal.SIGINT)
        time.sleep(0.2)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(5) == 130


def test_a_reader_that_leaves_is_noticed_without_a_write() -> None:
    with started(speak=False) as process:
        assert process.stdout is not None
        began = time.monotonic()
        process.stdout.close()
        assert process.wait(5) == 1
    assert time.monotonic() - began < 2


def test_a_regular_file_or_the_null_device_never_hangs_up() -> None:
    code = PROGRAM.format(wait="ended.wait(0.3)", speak=True)
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False
    )
    assert (done.returncode, done.stderr.strip()) == (0, b"None")


def test_without_a_guard_a_signal_ends_the_process() -> None:
    code = (
        "import os, time; from kebab_cli.watch import Watch\n"
        "Watch(lambda: [1], lambda: None).start(); os.write(1, b'ready\\n'); time.sleep(20)"
    )
    with running(sys.executable, "-c", code) as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(5) == 143


def test_an_ignored_interrupt_stays_ignored() -> None:
    code = PROGRAM.format(wait="ended.wait(0.5)", speak=True)
    ignoring = 'trap "" INT; exec "$0" -c "$1"'
    with running("sh", "-c", ignoring, sys.executable, code) as process:
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=5)
    assert (process.returncode, said.strip()) == (0, b"None")


def test_signals_are_given_back() -> None:
    code = (
        "import os, signal; from kebab_cli.watch import Watch\n"
        "watch = Watch(lambda: [1], lambda: None); watch.start(); watch.stop()\n"
        "assert signal.getsignal(signal.SIGINT) is signal.default_int_handler\n"
        "assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL\n"
        "assert signal.set_wakeup_fd(-1) == -1\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert os.name == "posix"
