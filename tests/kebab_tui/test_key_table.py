from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from kebab_tui.key_table import with_table
from kebab_tui.keys import KEYS, all_keys_of

DOCS = Path(__file__).resolve().parents[2] / "docs" / "chat.md"


def test_the_documented_keys_are_the_ones_there_are() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert with_table(text) == text, "run: python -m kebab_tui.key_table docs/chat.md"
    assert all(key.says in text and all_keys_of(key, {})[0] in text for key in KEYS)


def test_a_page_without_a_place_for_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no place"):
        with_table("# Keys\n")


def test_what_the_page_says_of_the_command_line_is_true() -> None:
    """Each command of the table is there, with each of its options."""
    table = DOCS.read_text(encoding="utf-8").partition("## Without a screen")[2]
    commands: dict[str, set[str]] = {}
    for words in re.findall(r"`kebab ([^`]+)`", table):
        command = words.split()[0]
        commands.setdefault(command, set()).update(re.findall(r"--[\w-]+", words))
    assert set(commands) >= {"ask", "search", "ingest", "sessions"}
    for command, options in commands.items():
        run = [sys.executable, "-m", "kebab_cli", command, "--help"]
        shown = subprocess.run(run, capture_output=True, text=True, check=True).stdout
        assert [option for option in options if option not in shown] == []
