"""What a terminal takes, and where a copy goes where it doesn't."""

from __future__ import annotations

import base64
import stat
import tempfile
from pathlib import Path

import pytest

from kebab_tui import clipboard
from tests.kebab_tui.look import said
from tests.kebab_tui.stage import PARENTAL, ask, chat, handbook, opened, until


@pytest.mark.parametrize(
    ("environment", "takes"),
    [
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "tmux-256color", "TMUX": "x"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7802"}, True),
        ({"TERM": "xterm-256color", "VTE_VERSION": "6800"}, False),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, False),
        ({"TERM": "linux"}, False),
    ],
)
def test_which_terminals_take_copies(environment: dict[str, str], takes: bool) -> None:
    assert clipboard.takes_copies("text", environment) is takes
    assert not clipboard.takes_copies("x" * 80_000, environment)


def test_inside_tmux_and_screen_it_is_wrapped_for_the_terminal_outside() -> None:
    text = "육아 휴직 " * 200
    encoded = base64.b64encode(text.encode()).decode()
    tmux = clipboard.for_outside(text, {"TMUX": "/tmp/tmux"})
    assert tmux == f"\x1bPtmux;\x1b\x1b]52;c;{encoded}\a\x1b\\"
    screen = clipboard.for_outside(text, {"TERM": "screen"})
    assert all(len(part) <= 768 for part in screen.split("\x1b\\"))
    assert screen.replace("\x1b\\", "").replace("\x1bP", "") == f"\x1b]52;c;{encoded}\a"
    assert clipboard.for_outside(text, {"TERM": "xterm"}) == ""


def test_a_program_of_the_machine_takes_it(tmp_path: Path) -> None:
    program = tmp_path / "xclip"
    program.write_text(f'#!/bin/sh\ncat > "{tmp_path}/copied"\n')
    program.chmod(0o755)
    here = {"PATH": f"{tmp_path}:/bin:/usr/bin", "DISPLAY": ":0", "TERM": "linux"}
    assert clipboard.copy_elsewhere("text", here) == "Copied by xclip"
    assert (tmp_path / "copied").read_text() == "text"


@pytest.mark.parametrize(
    "environment", [{}, {"DISPLAY": ":0", "SSH_CONNECTION": "a b"}, {"DISPLAY": ":0"}]
)
def test_the_last_resort_is_a_file_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    """Also where the program fails, and over ssh, where it would copy on the wrong machine."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    program = tmp_path / "xclip"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    words = clipboard.copy_elsewhere("text", {"PATH": str(tmp_path), **environment})
    (file,) = tmp_path.glob("kebab-copy-*.md")
    assert str(file) in words
    assert file.read_text() == "text"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_the_chat_says_where_a_copy_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TERM", "linux")
    monkeypatch.setenv("SSH_CONNECTION", "a b")
    app = chat(handbook())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        app.chat.action_copy_answer()
        await until(pilot, lambda: "kebab-copy-" in said(app))
        assert "Copied the answer" not in said(app)
        monkeypatch.setenv("TERM", "xterm-256color")
        app.chat.action_copy_answer()
        await until(pilot, lambda: "Copied the answer" in said(app))
    app.settle()
    assert _copied(tmp_path) == app.clipboard
    assert "26 weeks" in app.clipboard


def _copied(folder: Path) -> str:
    (file,) = folder.glob("kebab-copy-*.md")
    return file.read_text()
