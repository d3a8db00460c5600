"""Prose that arrives in pieces, broken between words where the terminal's line ends."""

from __future__ import annotations

import re

from kebab_cli.columns import WIDEST, cells, pieces

_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_FENCES = ("```", "~~~")


class Flow:
    """`feed` it what arrives and write what it returns.

    Words appear as they come. One that grows past the end of its line is taken back from the
    screen and moved to the next. What is in a code block or a table keeps its lines. Lines that
    follow the first of a list item are indented as its text is.
    """

    def __init__(self, width: int) -> None:
        # The last column stays free: a cursor that waits behind it can't be moved back safely.
        self._room = max(1, min(width - 1, WIDEST))
        self._line = ""
        self._word = ""
        self._column = 0
        self._in_code = False

    def feed(self, text: str) -> str:
        first, *others = text.split("\n")
        out = [self._words(first)]
        for line in others:
            out.append(self._new_line())
            out.append(self._words(line))
        return "".join(out)

    def _words(self, text: str) -> str:
        """More of the line. Its last word may go on in the next piece."""
        written, word = len(self._word), self._word
        column = self._column - cells(word)
        out = []
        for piece in pieces(word + text):
            end = column + cells(piece)
            if end <= self._room or not self._may_break:
                out.append(piece[written:])
            elif piece.isspace():
                # It would only end the line: the next word goes to one of its own.
                end = self._room
            elif column <= len(self._indent()):
                out.append(piece[written:])
            else:
                back = cells(piece[:written])
                out.append(f"\x1b[{back}D\x1b[K" if back else "")
                indent = self._indent()
                out.append(f"\n{indent}{piece}")
                end = len(indent) + cells(piece)
            self._line += piece[written:]
            self._word = "" if piece.isspace() else piece
            column, written = end, 0
        self._column = column
        return "".join(out)

    def _new_line(self) -> str:
        if self._line.lstrip().startswith(_FENCES):
            self._in_code = not self._in_code
        self._line = self._word = ""
        self._column = 0
        return "\n"

    @property
    def _may_break(self) -> bool:
        begins = self._line.lstrip()
        return not (self._in_code or begins.startswith((*_FENCES, "|")))

    def _indent(self) -> str:
        item = _ITEM.match(self._line)
        indent = " " * cells(item.group()) if item is not None else ""
        return indent if len(indent) < self._room // 2 else ""
