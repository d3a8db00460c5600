"""The real program in a real pseudo-terminal: it asks, and leaves the terminal as it was."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals", allow_module_level=True)

from tests.kebab_tui.stage import WORDS as QUESTION
from tests.kebab_tui.terminal import Terminal


def test_it_asks_answers_and_leaves_the_terminal_as_it_was(
    kebab: Callable[..., Terminal],
) -> None:
    with kebab() as terminal:
        terminal.until("Ask about your documents")
        terminal.until("4 docs")
        terminal.send(QUESTION + "\r")
        terminal.until("twenty-six weeks")
        terminal.until("Answered")
        terminal.send("\t")
        terminal.until("Turn up")  # the transcript has the focus
        terminal.send("1")
        terminal.until("hit 1 of")
        terminal.until("Every employee with six months' service")
        terminal.resize(40, 12)
        terminal.until(lambda: "hit 1 of" in terminal.text)
        terminal.resize(100, 30)
        terminal.send("\x1b")
        terminal.until("Ask a follow-up")
        terminal.send("\x11")
        assert terminal.end() == 0
        assert terminal.left_open() == []
        assert terminal.settings_restored
    with kebab("--continue") as terminal:
        terminal.until("twenty-six weeks")
        terminal.send("\x11")
        assert terminal.end() == 0


def test_sigterm_leaves_the_terminal_as_it_was(kebab: Callable[..., Terminal]) -> None:
    with kebab() as terminal:
        terminal.until("Ask about your documents")
        terminal.signal(signal.SIGTERM)
        assert terminal.end() == 143
        assert terminal.left_open() == []
        assert terminal.settings_restored


def test_the_editor_gets_the_terminal_and_gives_it_back(
    kebab: Callable[..., Terminal], tmp_path: Path
) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "EDITING %s\\n" "$*"; read line; exit 0\n')
    editor.chmod(0o755)
    with kebab(VISUAL=str(editor)) as terminal:
        terminal.until("4 docs")
        terminal.send(QUESTION + "\r")
        terminal.until("Answered")
        terminal.send("\t")
        terminal.until("Turn up")
        terminal.send("1")
        terminal.until("hit 1 of")
        terminal.until("Every employee")
        terminal.send("o")
        terminal.until("EDITING")
        assert "leave-policy.md" in terminal.text.replace("\n", "")
        terminal.send("\r")
        terminal.until(lambda: terminal.output.count("\x1b[?1049h") == 2)
        terminal.until("hit 1 of")
        terminal.send("\x11")
        assert terminal.end() == 0
        assert terminal.left_open() == []
