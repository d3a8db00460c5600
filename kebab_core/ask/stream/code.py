"""Whether a place in Markdown is inside code, told character by character."""

from __future__ import annotations

# What may stand before a fence on its line: indentation, quote signs, list marks.
_PREFIX = frozenset(" \t>-*+.)0123456789")
_INSIDE = frozenset(" \t>")


class CodeState:
    """Advance it over every character; then ask about the place before the next one.

    An inline span ends at a run of as many backticks, or with its line, so that a stray backtick
    turns no more than the rest of a line to code.
    """

    def __init__(self) -> None:
        self._fence: tuple[str, int] | None = None
        self._on_fence_line = False
        self._may_close = False
        self._span = 0
        self._run = 0
        self._run_of = ""
        self._run_leads = False
        self._leading = True
        self.at_line_start = True

    @property
    def in_fence(self) -> bool:
        return self._fence is not None

    @property
    def in_code(self) -> bool:
        return self._fence is not None or self._span > 0

    def advance(self, char: str) -> None:
        self.at_line_start = char == "\n"
        if char in ("`", "~"):
            if self._run and char != self._run_of:
                self._end_run()
            if not self._run:
                self._run_leads = self._leading
                self._run_of = char
                self._leading = self._may_close = False
            self._run += 1
            return
        self._end_run()
        if char == "\n":
            if self._may_close:
                self._fence = None
            self._leading = True
            self._on_fence_line = self._may_close = False
            self._span = 0
        elif char not in (_INSIDE if self._fence else _PREFIX):
            self._leading = False
            self._may_close = self._may_close and char.isspace()

    def _end_run(self) -> None:
        run, self._run = self._run, 0
        if not run:
            return
        char = self._run_of
        if self._fence is not None:
            opener, length = self._fence
            if self._on_fence_line:
                if char == opener == "`":
                    # Backticks after those that seemed to open a fence: it is a span.
                    self._fence, self._on_fence_line = None, False
                    self._span = 0 if run == length else length
            else:
                self._may_close = self._run_leads and char == opener and run >= length
        elif self._span:
            if char == "`" and run == self._span:
                self._span = 0
        elif run >= 3 and self._run_leads:
            self._fence, self._on_fence_line = (char, run), True
        elif char == "`":
            self._span = run
