"""All that kebab writes goes through here."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TextIO, TypeAlias, cast

from kebab_cli.stream import PipeClosed, Stream, WriteFailed
from kebab_cli.stream_file import StreamFile
from kebab_core.api import for_display

Tone: TypeAlias = Literal["strong", "dim", "good", "bad", "warn", "mark"]
_ESCAPES: dict[Tone, str] = {
    "strong": "\x1b[1m",
    "dim": "\x1b[2m",
    "good": "\x1b[32m",
    "bad": "\x1b[31m",
    "warn": "\x1b[33m",
    "mark": "\x1b[36m",
}
_RESET = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Toned:
    """Text with a meaning that a terminal shows by colour."""

    text: str
    tone: Tone


def strong(text: object) -> Toned:
    return Toned(str(text), "strong")


def dim(text: object) -> Toned:
    return Toned(str(text), "dim")


def good(text: object) -> Toned:
    return Toned(str(text), "good")


def bad(text: object) -> Toned:
    return Toned(str(text), "bad")


def warn(text: object) -> Toned:
    return Toned(str(text), "warn")


def mark(text: object) -> Toned:
    return Toned(str(text), "mark")


class Output:
    """stdout and stderr of one command.

    Text from outside is made safe here, whoever printed it: control characters show as
    pictures. Only the tones' own colours pass, and only to a terminal that wants them.
    """

    def __init__(self, closed: frozenset[int] = frozenset()) -> None:
        self.stdout = Stream(1, "stdout", closed=1 in closed)
        self.stderr = Stream(2, "stderr", closed=2 in closed)
        self.machine = False
        self.quiet = False
        self.debug = False
        self.hides_cursor = False
        self._at_line_start = True
        self._fleeting = False

    # --- text ----------------------------------------------------------------------------

    def line(self, *parts: object) -> None:
        """A line of the result, on stdout."""
        self.clear_fleeting()
        self._start_line()
        self.stdout.write(render(parts, self.colours(self.stdout)) + "\n")

    def prose(self, text: str, *, safe: bool = False) -> None:
        """A piece of running text, on stdout, at once. `safe`: it was made so already."""
        if text:
            self.clear_fleeting()
            self.stdout.write(text if safe else for_display(text))
            self._at_line_start = text.endswith("\n")

    def note(self, *parts: object) -> None:
        """A remark, on stderr; not said to machines, nor when told to be quiet."""
        if self.machine or self.quiet:
            return
        self.clear_fleeting()
        if self.stdout.is_terminal:
            self._start_line()
        self.stderr.write(render(parts, self.colours(self.stderr)) + "\n")

    def fleeting(self, text: str) -> None:
        """What is going on now: one line on a terminal, gone when anything else is written."""
        if self.machine or self.quiet or not self.live:
            return
        self.clear_fleeting()
        shown = for_display(text).replace("\n", " ")[: max(0, self.width - 2)]
        self.stderr.write(f"{_ESCAPES['dim']}{shown}{_RESET}" if self.colours() else shown)
        self._fleeting = True

    def clear_fleeting(self) -> None:
        if self._fleeting:
            self._fleeting = False
            self.stderr.write("\r\x1b[K")

    def end_line(self) -> None:
        """Let what follows prose begin on a line of its own."""
        self.clear_fleeting()
        self._start_line()

    def at_line_start(self) -> None:
        """The person has ended the line by typing."""
        self._at_line_start = True

    def _start_line(self) -> None:
        if not self._at_line_start:
            self._at_line_start = True
            self.stdout.write("\n")

    # --- machines ------------------------------------------------------------------------

    def result(self, json_line: str) -> None:
        """One JSON line on stdout."""
        self.stdout.write(json_line + "\n")

    def event(self, json_line: str) -> None:
        """One JSON line on stderr."""
        self.stderr.write(json_line + "\n")

    def keep_stderr_clean(self) -> None:
        """From now on only `event` reaches stderr: what libraries print there goes nowhere.

        A reader of events parses every line. `--debug` leaves things as they are.
        """
        if self.debug or self.stderr.fd != 2 or self.stderr.closed:
            return
        self.stderr.fd = os.dup(2)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        os.close(null)
        sys.stderr = self.file(Stream(2, "null device"))

    # --- the terminal --------------------------------------------------------------------

    @property
    def live(self) -> bool:
        """stderr is a terminal whose lines can be rewritten."""
        return self.stderr.is_terminal and os.environ.get("TERM", "dumb") not in ("", "dumb")

    @property
    def rewrites(self) -> bool:
        """stdout is a terminal on which the cursor can go back."""
        return self.stdout.is_terminal and os.environ.get("TERM", "dumb") not in ("", "dumb")

    @property
    def width(self) -> int:
        """Columns of the terminal, 80 where there is none; never less than 1."""
        return max(1, shutil.get_terminal_size((80, 24)).columns)

    def colours(self, stream: Stream | None = None) -> bool:
        wanted = stream or self.stderr
        if os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") in ("", "dumb"):
            return False
        return wanted.is_terminal

    def file(
        self,
        stream: Stream,
        on_failure: Callable[[PipeClosed | WriteFailed], None] | None = None,
    ) -> TextIO:
        """`stream` as a text file, for libraries that print.

        With `on_failure` a write never raises: for a library that writes in its own thread.
        """
        return cast("TextIO", StreamFile(stream, on_failure))

    def descriptors(self) -> list[int]:
        """Those that somebody reads, as far as is known."""
        return [stream.fd for stream in (self.stdout, self.stderr) if not stream.closed]

    def show_cursor(self) -> None:
        """Before a sudden end: a progress bar hides the cursor."""
        if self.hides_cursor and self.stderr.is_terminal:
            os.write(self.stderr.fd, b"\x1b[?25h\n")

    def stop_when(self, stopping: Callable[[], bool]) -> None:
        self.stdout.stopping = self.stderr.stopping = stopping


def render(parts: tuple[object, ...], colours: bool) -> str:
    """The parts joined, made safe; tones become colours if those are wanted."""
    shown = []
    for part in parts:
        if isinstance(part, Toned):
            text = for_display(part.text)
            shown.append(f"{_ESCAPES[part.tone]}{text}{_RESET}" if colours and text else text)
        else:
            shown.append(for_display(str(part)))
    return "".join(shown)


__all__ = [
    "Output",
    "PipeClosed",
    "Tone",
    "Toned",
    "WriteFailed",
    "bad",
    "dim",
    "good",
    "mark",
    "render",
    "strong",
    "warn",
]
