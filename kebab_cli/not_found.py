"""What a person can do where the documents don't hold the answer: a menu, until they leave it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kebab_cli import failures
from kebab_cli.asking import Look, ask_and_show
from kebab_cli.columns import fill
from kebab_cli.follow import ABSTAINED
from kebab_cli.invocation import Invocation
from kebab_cli.output import dim, mark, strong, warn
from kebab_cli.reading import read_line

if TYPE_CHECKING:
    from kebab_core.api import Answer, AskOptions

_CHOICES = (
    ("1", "Add the document that would answer it, and ask again"),
    ("2", "Add words to the question, and ask again"),
    ("3", "Answer from general knowledge, not from your documents"),
    ("q", "Leave it (or just Enter)"),
)


def ask_on(use: Invocation, question: str, options: AskOptions, look: Look, answer: Answer) -> int:
    """Offer the next steps until one brings an answer or the person leaves.

    The exit code is that of the last answer. Raises PipeClosed and WriteFailed; what else fails
    is said, and the menu comes again.
    """
    menu = _Menu(use, question, options, look, answer)
    while (code := menu.step()) is None:
        continue
    return code


class _Menu:
    """The question as it stands now, and how to ask it."""

    def __init__(
        self, use: Invocation, question: str, options: AskOptions, look: Look, answer: Answer
    ) -> None:
        self._use = use
        self._output = use.output
        self._question = question
        self._options = _in_session(options, answer)
        self._look = look

    def step(self) -> int | None:
        """Ask what to do and do it; None if the menu is to come again."""
        from kebab_core.api import KebabError

        self._print()
        try:
            match self._read("> "):
                case None | "q" | "Q" | "":
                    return self._leave()
                case "1":
                    return self._add_document()
                case "2":
                    return self._add_words()
                case "3":
                    return self._ask(self._question, replace(self._options, chance=True))
                case other:
                    self._output.line(warn(f"There is no {other!r}: type 1, 2, 3 or q."))
                    return None
        except (KebabError, OSError) as failure:
            failures.tell(failure, self._output)
            return None

    def _print(self) -> None:
        self._output.line()
        self._output.line(strong("What next?"))
        for key, text in _CHOICES:
            first, *rest = fill(text, self._output.width, " " * 6)
            self._output.line("  ", mark(f"[{key}]"), first[5:])
            for line in rest:
                self._output.line(line)

    def _read(self, prompt: str) -> str | None:
        return read_line(self._use, prompt)

    def _leave(self) -> int:
        return self._use.watch.exit_code or ABSTAINED

    # --- the steps -----------------------------------------------------------------------

    def _add_document(self) -> int | None:
        from kebab_cli.ingest_text import report_lines
        from kebab_cli.ingesting import ingest_and_follow
        from kebab_core.api import IngestOptions

        typed = self._read("A file, a folder or a web address: ")
        if typed is None:
            return self._leave()
        if not typed:
            return None
        report, said = ingest_and_follow(self._use, [path_from(typed)], IngestOptions())
        for line in report_lines(report, said):
            self._output.line(*line)
        if self._use.watch.cause is not None:
            return self._leave()
        if not report.new + report.updated:
            self._output.line(warn("That brought nothing new, so the answer would be the same."))
            return None
        return self._ask(self._question, self._options)

    def _add_words(self) -> int | None:
        typed = self._read("Words to add: ")
        if typed is None:
            return self._leave()
        return self._ask(f"{self._question} {typed}", self._options) if typed else None

    def _ask(self, question: str, options: AskOptions) -> int | None:
        self._output.line()
        for line in fill(question, self._output.width, "? ", "  "):
            self._output.line(dim(line))
        ended = ask_and_show(self._use, question, options, self._look)
        if ended.answer is None or not ended.answer.not_found:
            return ended.code
        self._question = question
        self._options = _in_session(options, ended.answer)
        return None


def _in_session(options: AskOptions, answer: Answer) -> AskOptions:
    """Where a session was wanted, the same one; a one-off question stays one."""
    if options.session_id is None and not options.new_session:
        return options
    return replace(options, session_id=answer.conversation_id, new_session=False)


def path_from(typed: str) -> str:
    """A path as it was typed, or as shells and file managers write one: quoted, escaped."""
    if _is_there(typed):
        return typed
    try:
        words = shlex.split(typed)
    except ValueError:  # a quote that isn't closed belongs to the name
        return typed
    return words[0] if len(words) == 1 and _is_there(words[0]) else typed


def _is_there(path: str) -> bool:
    try:
        return Path(path).expanduser().exists()
    except (OSError, RuntimeError, ValueError):  # too long, nobody's home, no path at all
        return False
