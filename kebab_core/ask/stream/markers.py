"""Checks the `[n]` of an answer while it streams: invented numbers never reach the reader."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from kebab_core.ask.stream.code import CodeState

MAX_LENGTH = 16
"""Characters of a marker, brackets included. Longer ones are text."""

_CLOSERS = {"[": "]", "［": "］", "【": "】"}
_BODY = frozenset("0123456789０１２３４５６７８９,，、-–－ ")
_NUMBER_OR_RANGE = re.compile(r"(\d+)(?:\s*[-–－]\s*(\d+))?")
# Scripts written without spaces: a marker right after their letters is glued to no word.
_SPACED_SCRIPTS_END = 0x0E00


@dataclass(frozen=True, slots=True)
class Marker:
    """`[n]` at `offset` of the text that came out."""

    n: int
    offset: int


class MarkerCheck:
    """`[1, 9]` becomes `[1]` where there is no 9, `[1-3]` becomes `[1][2][3]`.

    A marker holds digits, commas, hyphens and spaces, stands outside code and not before `(`. One
    that names nothing vanishes with the space before it; glued to a word (`items[9]`) it is text.
    Full-width brackets count, and become plain ones. `markers` are those that stayed, in order.
    """

    def __init__(self, known: Collection[int], *, drop_glued: bool = False) -> None:
        """`drop_glued` drops unknown numbers after a word too."""
        self.markers: list[Marker] = []
        self._known = frozenset(known)
        self._drop_glued = drop_glued
        self._code = CodeState()
        self._length = 0  # of what came out
        self._gap = ""  # spaces whose fate hangs on what follows
        self._open = ""  # an unfinished marker
        self._closed = ""  # a finished one whose next character decides
        self._link_possible = False  # `[1]` is out already; before `(` it was no marker
        self._before = "\n"  # the character before the gap
        self._skip_spaces = False

    def feed(self, text: str) -> str:
        return "".join([self._take(char) for char in text])

    def end(self) -> str:
        rest = self._settle("") if self._closed else self._flush()
        return rest + self._out("", self._gap)

    def _take(self, char: str) -> str:
        settled = ""
        if self._closed:
            settled = self._settle(char)
        elif self._link_possible:
            self._link_possible = False
            if char == "(":
                self.markers.pop()
        if self._open:
            if char in _BODY and len(self._open) < MAX_LENGTH - 1:
                self._open += char
                return settled
            if char == _CLOSERS[self._open[0]]:
                return settled + self._close(char)
            settled += self._flush()
        self._code.advance(char)
        if char in _CLOSERS and not self._code.in_code:
            self._open = char
            self._skip_spaces = False
            return settled
        if char in " \t" and not self._code.in_code:
            if not self._skip_spaces:
                self._gap += char
            return settled
        self._skip_spaces = False
        return settled + self._out(char, self._gap)

    def _out(self, text: str, gap: str) -> str:
        self._gap = ""
        if text:
            self._before = text[-1]
        text = gap + text
        self._length += len(text)
        return text

    def _flush(self) -> str:
        """The open bracket is text."""
        text, self._open = self._open, ""
        for char in text[1:]:
            self._code.advance(char)
        return self._out(text, self._gap) if text else ""

    def _close(self, char: str) -> str:
        text, self._open = self._open + char, ""
        for later in text[1:]:
            self._code.advance(later)
        if not any(inner.isdigit() for inner in text):
            return self._out(text, self._gap)
        numbers = self._numbers(text)
        if len(numbers) == 1 and text == f"[{numbers[0]}]":
            # It reads the same whatever follows, so it needn't wait.
            self._link_possible = True
            return self._mark(numbers)
        self._closed = text
        return ""

    def _settle(self, following: str) -> str:
        """Decide on a finished marker, now that the next character is known."""
        text, self._closed = self._closed, ""
        if following == "(":
            return self._out(text, self._gap)
        if numbers := self._numbers(text):
            return self._mark(numbers)
        if not self._drop_glued and text[0] == "[" and not self._gap and _is_word(self._before):
            return self._out(text, self._gap)
        if self._before == "\n":
            self._gap, self._skip_spaces = "", True
        elif not following.isalnum():
            self._gap = ""
        return ""

    def _mark(self, numbers: list[int]) -> str:
        offset = self._length + len(self._gap)
        for n in numbers:
            self.markers.append(Marker(n, offset))
            offset += len(f"[{n}]")
        return self._out("".join([f"[{n}]" for n in numbers]), self._gap)

    def _numbers(self, text: str) -> list[int]:
        """The passages that the marker names, in its order, each once."""
        found: dict[int, None] = {}
        for match in _NUMBER_OR_RANGE.finditer(text):
            first = int(match[1])
            last = int(match[2]) if match[2] else first
            low, high = min(first, last), max(first, last)
            named = sorted(n for n in self._known if low <= n <= high)
            found.update(dict.fromkeys(named))
        return list(found)


def _is_word(char: str) -> bool:
    return (char.isalnum() or char == "_") and ord(char) < _SPACED_SCRIPTS_END


def without_markers(text: str) -> str:
    """`text` of an earlier answer, whose numbers mean nothing any more."""
    check = MarkerCheck((), drop_glued=True)
    return check.feed(text) + check.end()
