"""`docs/cli-and-chat.md`: all that the chat does is there, and the commands beside it exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from typer.main import get_command

from kebab_cli.app import app
from kebab_tui.app import KebabApp
from kebab_tui.keys import KEYS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli-and-chat.md"
CODE = re.compile(r"`([^`]+)`")


def rows() -> list[tuple[str, str, str]]:
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| ") and not line.startswith("| to |"):
            _, to, chat, cli, _ = (part.strip() for part in line.split("|"))
            found.append((to, chat, cli))
    return found


def in_the_table() -> set[str]:
    return {code for _, chat, _ in rows() for code in CODE.findall(chat)}


def commands() -> list[str]:
    codes = [code for _, _, cli in rows() for code in CODE.findall(cli)]
    return [code for code in codes if code.startswith("kebab ")]


def palette() -> list[str]:
    """Every entry; of those that switch something, without the way it would be switched."""
    entries = KebabApp.get_system_commands(MagicMock(), MagicMock())
    return [re.sub(r" (on|off)$", "", entry.title) for entry in entries]


def test_each_key_of_the_chat_is_in_the_table() -> None:
    assert len(KEYS) > 40
    assert [key.id for key in KEYS if key.id not in in_the_table()] == []


def test_each_palette_entry_is_in_the_table() -> None:
    assert len(palette()) > 15
    assert [title for title in palette() if title not in in_the_table()] == []


def test_each_row_says_how() -> None:
    assert all(to and chat and cli for to, chat, cli in rows())
    assert len(commands()) > 30


@pytest.mark.parametrize("line", commands())
def test_each_command_exists_with_its_options(line: str) -> None:
    command: Any = get_command(app)
    known: set[str] = set()
    took: list[str] = []
    for word in shlex.split(line)[1:]:
        if word.startswith("--"):
            took.append(word)
        elif hasattr(command, "get_command"):
            known |= options(command)
            found = command.get_command(None, word)
            # The value of a global option before the command.
            command = command if found is None and took else found
            assert command is not None, f"no command {word!r}"
    assert [one for one in took if one not in known | options(command)] == []
    assert not hasattr(command, "get_command") or took == ["--help"]


def options(command: Any) -> set[str]:
    return {
        "--help",
        *(name for item in command.params for name in (*item.opts, *item.secondary_opts)),
    }
