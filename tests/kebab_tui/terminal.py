"""The real program in a real pseudo-terminal, its screen kept by pyte."""

from __future__ import annotations

import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pexpect
import pyte

KEBAB = (sys.executable, "-m", "kebab_cli")
_MODES = {
    "\x1b[?1049h": "\x1b[?1049l",  # the other screen
    "\x1b[?25l": "\x1b[?25h",  # the cursor
    "\x1b[?2004h": "\x1b[?2004l",  # bracketed paste
    "\x1b[?1000h": "\x1b[?1000l",  # the mouse
    "\x1b[?1003h": "\x1b[?1003l",
    "\x1b[?1006h": "\x1b[?1006l",
    "\x1b[?1004h": "\x1b[?1004l",  # focus
}


class Terminal:
    """`kebab` with `arguments`, on a screen of the given size. `program` stands in for it."""

    def __init__(
        self,
        *arguments: str,
        env: dict[str, str],
        cwd: Path,
        columns: int = 100,
        rows: int = 30,
        program: Sequence[str] = KEBAB,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self.output = ""
        self._child = pexpect.spawn(
            program[0],
            [*program[1:], *arguments],
            env=env,
            cwd=str(cwd),
            dimensions=(rows, columns),
            encoding="utf-8",
            codec_errors="replace",
            timeout=5,
        )
        self._child.delaybeforesend = None
        self._before = termios.tcgetattr(self._child.child_fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._child.close(force=True)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def read(self, seconds: float = 0.1) -> bool:
        """Take what the program has written; False once it has closed the terminal."""
        try:
            piece = self._child.read_nonblocking(65536, seconds)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.output += piece
        self._stream.feed(piece)
        return True

    def until(self, wanted: str | Callable[[], object], within: float = 20.0) -> None:
        """Read until `wanted` stands on the screen (or holds)."""
        deadline = time.monotonic() + within
        while not (wanted in self.text if isinstance(wanted, str) else wanted()):
            if time.monotonic() > deadline or not self.read():
                raise AssertionError(f"{wanted!r} did not show:\n{self.text}")

    def pump(self, times: int = 1) -> None:
        """Take what has been written by now."""
        for _ in range(times):
            self.read(0.02)

    @property
    def pid(self) -> int:
        return int(self._child.pid)

    @property
    def cursor_shows(self) -> bool:
        return not self.screen.cursor.hidden

    def send(self, keys: str) -> None:
        self._child.send(keys)

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self._child.setwinsize(rows, columns)

    def signal(self, number: int) -> None:
        self._child.kill(number)

    def end(self, within: float = 10.0) -> int:
        """Wait for the program's end; its exit code, 128 + n for signal n."""
        deadline = time.monotonic() + within
        while self.read():
            if time.monotonic() > deadline:
                raise AssertionError(f"still running:\n{self.text}")
        self._child.wait()
        if self._child.signalstatus is not None:
            return 128 + int(self._child.signalstatus)
        return int(self._child.exitstatus or 0)

    def left_open(self) -> list[str]:
        """Modes of the terminal that were switched on and never off again."""
        return [
            on
            for on, off in _MODES.items()
            if on in self.output and self.output.rfind(off) < self.output.rfind(on)
        ]

    @property
    def settings_restored(self) -> bool:
        """Whether the line discipline is as it was before."""
        return termios.tcgetattr(self._child.child_fd) == self._before
