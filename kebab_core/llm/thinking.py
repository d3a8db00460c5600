"""Reasoning that a model writes into its prose between tags, taken apart from it as it streams."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kebab_core.llm.base import TextDelta, ThinkingDelta

_OPEN = {"<think>": "</think>", "<thinking>": "</thinking>"}
# What can change the state while prose is read: a tag, a run of backticks, an empty line.
_STOPS = re.compile(r"<|`+|\n")


class ThinkingSplitter:
    """Deltas of text → deltas of prose and of reasoning.

    `<think>` opens reasoning anywhere but in code (between backticks or in a fence), where a
    document about such models may well say it; `</think>` closes it, and without one all the
    rest is reasoning. Only the shortest suffix that could still grow into a tag is held back.
    White space around leading reasoning is dropped. However the text is cut, the joined prose
    and the joined reasoning are the same.
    """

    def __init__(self) -> None:
        self._held = ""
        self._closing: str | None = None
        self._spoke = False
        self._code = _Code()

    def feed(self, text: str) -> list[TextDelta | ThinkingDelta]:
        text, self._held = self._held + text, ""
        return [delta for delta in self._split(text) if delta.text]

    def close(self) -> list[TextDelta | ThinkingDelta]:
        """What was held back: the text ended, so it is no tag."""
        rest, self._held = self._held, ""
        if self._closing is not None:
            return [ThinkingDelta(rest)] if rest else []
        return [TextDelta(prose) for prose in [self._prose(rest)] if prose]

    def _split(self, text: str) -> Iterator[TextDelta | ThinkingDelta]:
        while text:
            if self._closing is not None:
                thought, text = self._reason(text)
                yield ThinkingDelta(thought)
            else:
                prose, text = self._read(text)
                yield TextDelta(self._prose(prose))

    def _reason(self, text: str) -> tuple[str, str]:
        closing = self._closing or ""
        at = text.find(closing)
        if at >= 0:
            self._closing = None
            return text[:at], text[at + len(closing) :]
        keep = _overlap(text, closing)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep], ""

    def _read(self, text: str) -> tuple[str, str]:
        """Prose up to a tag that opens reasoning (or to what could become one), and the rest."""
        at = 0
        while (stop := _STOPS.search(text, at)) is not None:
            self._code.pass_text(text[at : stop.start()])
            at = stop.start()
            if stop.group() == "<" and not self._code.inside:
                for opening, closing in _OPEN.items():
                    if text.startswith(opening, at):
                        self._closing = closing
                        return text[:at], text[at + len(opening) :]
                if any(opening.startswith(text[at:]) for opening in _OPEN):
                    self._held = text[at:]
                    return text[:at], ""
            self._code.pass_text(stop.group())
            at = stop.end()
        self._code.pass_text(text[at:])
        return text, ""

    def _prose(self, text: str) -> str:
        if not self._spoke:
            text = text.lstrip()
            self._spoke = bool(text)
        return text


class _Code:
    """Whether a place in Markdown is inside code, told character run by character run.

    An inline span ends at a run of as many backticks, or at an empty line: a stray backtick
    mustn't turn all the rest to code.
    """

    def __init__(self) -> None:
        self._fence = 0
        self._fence_opens = False
        self._span = 0
        self._run = 0
        self._run_at_start = False
        self._line_empty = True
        self._fence_closes = False

    @property
    def inside(self) -> bool:
        self._end_run()
        return bool(self._fence or self._span)

    def pass_text(self, text: str) -> None:
        """Advance over a run of backticks, a newline, or text without either."""
        if not text:
            return
        if text[0] == "`":
            if not self._run:
                self._run_at_start = self._line_empty
            self._run += len(text)
            self._line_empty = False
            return
        self._end_run()
        if text == "\n":
            if self._fence_closes:
                self._fence = 0
            if self._line_empty:
                self._span = 0
            self._line_empty = True
            self._fence_closes = self._fence_opens = False
        elif not text.isspace():
            self._line_empty = False
            self._fence_closes = False

    def _end_run(self) -> None:
        run, self._run = self._run, 0
        if not run:
            return
        if self._fence_opens:
            # ```two runs on one line``` are a span, and no fence has backticks after its own.
            self._fence, self._span = 0, self._fence if run != self._fence else 0
            self._fence_opens = False
        elif self._fence:
            self._fence_closes = self._run_at_start and run >= self._fence
        elif run >= 3 and self._run_at_start:
            self._fence, self._span, self._fence_opens = run, 0, True
        elif not self._span:
            self._span = run
        elif self._span == run:
            self._span = 0


def _overlap(text: str, tag: str) -> int:
    """Length of the longest suffix of `text` that begins `tag`."""
    return next(
        (size for size in range(min(len(text), len(tag) - 1), 0, -1) if text.endswith(tag[:size])),
        0,
    )
