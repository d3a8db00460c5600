"""The real program in a real pseudo-terminal: it asks, and leaves the terminal as it was."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kebab_core.api import KnowledgeBase, load_configuration
from tests.kebab_tui.stage import HANDBOOK
from tests.kebab_tui.test_real_base import store_documents

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals", allow_module_level=True)

from tests.kebab_tui.terminal import Terminal

REPO = Path(__file__).resolve().parents[2]
QUESTION = "How many weeks at full pay may an employee take?"


@pytest.fixture
def kebab(tmp_path: Path, own_home: Path) -> Callable[..., Terminal]:
    """Starts `kebab` over the handbook, answered by quotes."""
    documents = tmp_path / "docs"
    for path, text in HANDBOOK.items():
        if not path.endswith(".pdf"):
            file = documents / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    data = tmp_path / "data"
    with KnowledgeBase.open(load_configuration(data_dir=data, cwd=tmp_path)) as base:
        store_documents(base, documents)
    env = {
        "HOME": str(own_home),
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(REPO),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "LANCEDB_LOG": "error",
        "OLLAMA_HOST": "http://127.0.0.1:9",
        "KEBAB_MODEL_ASK": "quote",
        "KEBAB_SEARCH__MODE": "lexical",
        "KEBAB_DATA_DIR": str(data),
    }

    def start(*arguments: str, **extra: str) -> Terminal:
        return Terminal(*arguments, env={**env, **extra}, cwd=tmp_path)

    return start


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
