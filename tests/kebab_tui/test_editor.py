from __future__ import annotations

import pytest

from kebab_tui.editor import command


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("vim", ["vim", "+41", "a b.md"]),
        ("/usr/bin/nvim -p", ["/usr/bin/nvim", "-p", "+41", "a b.md"]),
        ("emacs -nw", ["emacs", "-nw", "+41", "a b.md"]),
        ("nano", ["nano", "+41", "a b.md"]),
        ("code", ["code", "--wait", "--goto", "a b.md:41"]),
        ("hx", ["hx", "a b.md:41"]),
        ("subl -w", ["subl", "-w", "a b.md:41"]),
        ("idea", ["idea", "--line", "41", "a b.md"]),
        ("notepad++.exe", ["notepad++.exe", "-n41", "a b.md"]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(editor: str, words: list[str]) -> None:
    assert command("a b.md", 41, {"EDITOR": editor}) == words


def test_visual_comes_before_editor() -> None:
    assert command("a.md", 1, {"VISUAL": "hx", "EDITOR": "vi"}) == ["hx", "a.md:1"]


@pytest.mark.parametrize("environment", [{}, {"EDITOR": ""}, {"EDITOR": "  "}])
def test_without_an_editor_there_is_nothing_to_run(environment: dict[str, str]) -> None:
    assert command("a.md", 1, environment) is None


def test_a_file_name_is_one_word_whatever_is_in_it() -> None:
    assert command("; rm -rf ~ $(x).md", 3, {"EDITOR": "vi"}) == ["vi", "+3", "; rm -rf ~ $(x).md"]
