"""A program in a real pty, seen through a terminal emulator."""

from __future__ import annotations

import pexpect
import pyte

from tests.support.program import COMMAND, Kebab


class Terminal:
    """A program in a terminal of so many columns; `text` is what stands on its screen."""

    def __init__(self, kebab: Kebab, *arguments: str, columns: int = 80, rows: int = 60) -> None:
        environment = kebab.environment({"TERM": "xterm-256color"})
        environment.update(kebab.variables)
        environment.pop("COLUMNS", None)
        self.raw = ""
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self.process = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *arguments],
            cwd=str(kebab.folder),
            env=environment,
            dimensions=(rows, columns),
            encoding="utf-8",
            timeout=60,
        )

    def wait_for(self, text: str) -> None:
        self.process.expect_exact(text)
        self._take()

    def end(self) -> int:
        """Everything up to the end; the exit code."""
        self.process.expect(pexpect.EOF)
        self._take()
        self.process.close()
        code = self.process.exitstatus
        assert code is not None, self.process.signalstatus
        return int(code)

    def _take(self) -> None:
        after = self.process.after
        piece = self.process.before + (after if isinstance(after, str) else "")
        self.raw += piece
        self._stream.feed(piece)

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display).strip("\n")
