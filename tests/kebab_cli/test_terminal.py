"""What a person at a terminal gets: seen through a real pty and a terminal emulator."""

from __future__ import annotations

import pytest

from kebab_core.testing import ScriptedModel
from kebab_core.testing.script import Hang, Pause, Say
from tests.support.program import Kebab
from tests.support.terminal import Terminal

NOTICE = "How long is the notice period?"


def test_prose_arrives_live_and_sources_follow(asking: Kebab) -> None:
    with ScriptedModel([[Say("The notice period "), Pause(0.5), Say("is four weeks [1].")]]) as it:
        asking.variables.update(it.environment)
        terminal = Terminal(asking, "ask", NOTICE)
        terminal.wait_for("The notice period")
        assert "Sources:" not in terminal.raw
        assert terminal.end() == 0
    shown = terminal.text.splitlines()
    assert shown[0] == "The notice period is four weeks [1]."
    assert shown[shown.index("Sources:") + 1].startswith("[1] [local] leave.md#L")
    assert shown[-1].startswith("(1 cited · 1 search)")
    assert "⋯" not in terminal.text


def test_a_model_that_was_found_is_said_aloud(asking: Kebab) -> None:
    with ScriptedModel([[Say("Four weeks [1].")]], models=["qwen3:8b"]) as model:
        asking.variables["OLLAMA_HOST"] = model.origin
        terminal = Terminal(asking, "ask", NOTICE)
        assert terminal.end() == 0
    assert "Found Ollama" in terminal.text
    assert "ollama:qwen3:8b" in terminal.text.splitlines()[-1]


def test_an_interrupt_keeps_what_came(asking: Kebab) -> None:
    with ScriptedModel([[Say("The notice period "), Hang()]]) as model:
        asking.variables.update(model.environment)
        terminal = Terminal(asking, "ask", NOTICE)
        terminal.wait_for("The notice period")
        terminal.process.sendintr()
        assert terminal.end() == 130
    assert "Traceback" not in terminal.raw
    assert "Stopped" in terminal.text


@pytest.mark.parametrize("variable", ["NO_COLOR", "TERM"])
def test_no_colours_where_they_are_not_wanted(asking: Kebab, variable: str) -> None:
    asking.variables[variable] = "dumb"
    terminal = Terminal(asking, "search", "--mode", "lexical", "notice period")
    assert terminal.end() == 0
    assert "\x1b[" not in terminal.raw
    assert "leave.md#L" in terminal.raw


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["search", "--mode", "lexical", "--explain", "notice period"],
        ["ask", "--model", "quote", "--show-context", "--explain", NOTICE],
        ["docs", "list"],
        ["ingest"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_no_terminal_is_too_narrow(asking: Kebab, arguments: list[str]) -> None:
    terminal = Terminal(asking, *arguments, columns=1)
    assert terminal.end() == 0
    assert "Traceback" not in terminal.raw


def test_nothing_from_outside_drives_the_terminal(asking: Kebab) -> None:
    evil = "Cursor \x1b[2Jgone \x1b]0;owned\x07 notice period \u202ereversed"
    notes = asking.folder / "more"
    notes.mkdir()
    (notes / "evil\x1b]0;owned\x07.md").write_text(f"# {evil}\n\n{evil}\n", encoding="utf-8")
    terminal = Terminal(asking, "ingest", str(notes))
    assert terminal.end() == 0
    outputs = [terminal.raw]
    with ScriptedModel([[Say(f"{evil} [1]")]], repeat=True) as model:
        asking.variables.update(model.environment)
        for arguments in (
            ["search", "--mode", "lexical", "cursor gone"],
            ["docs", "list"],
            ["ask", "--show-context", "What is reversed after cursor gone?"],
            ["ask", "--no-stream", "What is reversed after cursor gone?"],
        ):
            terminal = Terminal(asking, *arguments)
            terminal.end()
            outputs.append(terminal.raw)
    for raw in outputs:
        assert "\x1b[2Jgone" not in raw
        assert "\x1b]0;" not in raw
        assert "\u202e" not in raw
    assert "␛[2Jgone" in outputs[3]


def test_ingest_shows_a_bar_and_gives_the_cursor_back(asking: Kebab) -> None:
    notes = asking.folder / "more"
    notes.mkdir()
    for number in range(30):
        (notes / f"more{number}.md").write_text(f"# Note {number}\n\nSomething to read.\n")
    terminal = Terminal(asking, "ingest", str(notes))
    assert terminal.end() == 0
    assert "/30" in terminal.raw
    assert terminal.raw.rindex("\x1b[?25h") > terminal.raw.rindex("\x1b[?25l")
    assert "new        30" in terminal.text
    assert "━" not in terminal.text


def test_the_terminal_stays_quiet_when_told_to(asking: Kebab) -> None:
    terminal = Terminal(asking, "ingest", "--quiet")
    assert terminal.end() == 0
    assert "\x1b[?25l" not in terminal.raw
