"""Lines that a person types while a command runs."""

from __future__ import annotations

import os
import select
import sys
from functools import cache

from kebab_cli.invocation import Invocation
from kebab_cli.output import Output

# A terminal gives a line at a time, and takes no longer one.
_LONGEST = 4096


def can_ask(output: Output) -> bool:
    """Whether a person sits at both ends."""
    return output.stdout.is_terminal and sys.stdin is not None and sys.stdin.isatty()


def read_line(use: Invocation, prompt: str) -> str | None:
    """What the person types after `prompt`; None at the end of input, or on ^C.

    After ^C the invocation's watch knows why. What was typed before the prompt stood is dropped:
    it was meant for nothing that is asked here.
    """
    output = use.output
    _forget_typed()
    output.prose(prompt)
    line = _line(use)
    if line is None or not line.endswith("\n"):
        output.end_line()
    else:
        output.at_line_start()
    return None if line is None else line.strip()


def _forget_typed() -> None:
    try:
        import termios
    except ImportError:  # no such thing on Windows
        return
    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def _line(use: Invocation) -> str | None:
    if not hasattr(select, "poll"):
        return sys.stdin.readline() or None
    typed, (woken, wake) = sys.stdin.fileno(), _waking()
    poll = select.poll()
    poll.register(typed, select.POLLIN)
    poll.register(woken, select.POLLIN)
    with use.watch.guard(lambda: _wake(wake)):
        poll.poll()
    if use.watch.cause is not None:
        return None
    try:
        data = os.read(typed, _LONGEST)
    except OSError:
        # The terminal went away: nobody types any more.
        return None
    return data.decode("utf-8", "replace") if data else None


@cache
def _waking() -> tuple[int, int]:
    """A pipe for as long as the process lives: a signal may come when nobody reads any more."""
    return os.pipe()


def _wake(descriptor: int) -> None:
    os.write(descriptor, b"!")
