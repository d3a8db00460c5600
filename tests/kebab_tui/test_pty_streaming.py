"""A real pseudo-terminal while an answer is streamed by a real (scripted) model server."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psutil
import pytest

from kebab_core.testing import ScriptedModel
from kebab_core.testing.script import Hang, Say, Step, Wait
from tests.kebab_tui.stage import WORDS

if sys.platform == "win32":
    pytest.skip("no pseudo-terminals", allow_module_level=True)

from tests.kebab_tui.terminal import KEBAB, Terminal

Kebab = Callable[..., Terminal]
TAIL = '\n\n---\n{"cited": [1], "followups": [], "gap": null}'
LINES = [f"line {number:03} of what is written [1]\n\n" for number in range(200)]


@contextmanager
def streaming(kebab: Kebab, server: ScriptedModel, *arguments: str) -> Iterator[Terminal]:
    """`kebab` answered by `server`, from the first token on."""
    variables = {
        "KEBAB_MODEL_ASK": "openai-compatible:scripted",
        "KEBAB_MODEL_STARTERS": "quote",
        "KEBAB_BASE_URL": f"{server.origin}/v1",
        "KEBAB_ASK__MODE": "single",
        "KEBAB_ASK__SCORE_GATE": "0",
        "KEBAB_TUI__REDUCED_MOTION": "true",
    }
    with kebab(*arguments, **variables) as terminal:
        terminal.until("4 docs")
        yield terminal


def left_as_found(terminal: Terminal) -> None:
    assert terminal.left_open() == []
    assert terminal.settings_restored
    assert terminal.cursor_shows


def test_scrolled_up_the_view_stays_and_end_follows_again(kebab: Kebab) -> None:
    go_on, to_the_end = threading.Event(), threading.Event()
    turn = [Say(LINES[:40]), Wait(go_on), Say(LINES[40:80]), Wait(to_the_end), Say(LINES[80:])]
    with (
        ScriptedModel([[*turn, Say(TAIL)]]) as server,
        streaming(kebab, server) as terminal,
    ):
        terminal.send(WORDS + "\r")
        terminal.until("line 039")
        terminal.send("\t\x1b[5~\x1b[5~")
        terminal.until("new lines")
        terminal.until(lambda: "line 039" not in terminal.text)
        read = prose(terminal)
        assert len(read) > 5
        go_on.set()
        # The token count in the status row tells that they came in.
        terminal.until("80 tokens")
        terminal.pump(5)
        assert prose(terminal) == read
        terminal.send("\x1b[F")
        terminal.until("line 079")
        to_the_end.set()
        terminal.until("line 199")
        terminal.until("Answered")
        assert "new lines" not in terminal.text
        terminal.send("\x11")
        assert terminal.end() == 0
        left_as_found(terminal)


def prose(terminal: Terminal) -> list[str]:
    return [
        line.split("of what")[0].strip() for line in terminal.text.split("\n") if "line " in line
    ]


def test_stopped_in_the_midst_it_is_kept_and_asked_again_from_there(kebab: Kebab) -> None:
    turns: list[list[Step]] = [[Say(LINES[:5]), Hang()], [Say(f"All of it [1].{TAIL}")]]
    with ScriptedModel(turns) as server, streaming(kebab, server) as terminal:
        terminal.send(WORDS + "\r")
        terminal.until("line 004")
        terminal.send("\x1b")
        terminal.until("Stopped")
        terminal.until("ready")
        terminal.send("\x12")
        terminal.until("All of it [1].")
        terminal.send("\x11")
        assert terminal.end() == 0
        left_as_found(terminal)
    with kebab("--continue") as terminal:
        terminal.until("All of it [1].")
        terminal.send("\t\x1b[H")
        terminal.until("line 00")


@pytest.mark.parametrize(("way", "code"), [("\x11", 0), ("term", 143), ("hup", 129)])
def test_left_while_it_streams_the_answer_is_kept(kebab: Kebab, way: str, code: int) -> None:
    with ScriptedModel([[Say(LINES[:5]), Hang()]]) as server:
        with streaming(kebab, server) as terminal:
            terminal.send(WORDS + "\r")
            terminal.until("line 004")
            if way == "\x11":
                terminal.send(way)
            else:
                terminal.signal({"term": signal.SIGTERM, "hup": signal.SIGHUP}[way])
            assert terminal.end() == code
            left_as_found(terminal)
        with kebab("--continue") as terminal:
            terminal.until("line 004")
            terminal.until("Stopped")


def test_resized_thirty_times_while_it_streams(kebab: Kebab) -> None:
    go_on = threading.Event()
    turn = [Say(LINES[:10]), Wait(go_on), Say(LINES[10:], every=0.01), Say(TAIL)]
    with ScriptedModel([turn]) as server, streaming(kebab, server) as terminal:
        terminal.send(WORDS + "\r")
        terminal.until("line 009")
        go_on.set()
        for number in range(30):
            terminal.resize(40 + number * 37 % 110, 10 + number * 17 % 40)
            terminal.pump(2)
        terminal.resize(120, 36)
        terminal.until("line 199", within=40)
        terminal.until("Answered")
        terminal.until("Sources (")
        # Drawn once, from edge to edge: nothing of an earlier size is left.
        assert terminal.text.count("Answered") == 1
        assert terminal.text.split("\n")[35].strip().endswith("^q Quit")
        terminal.send("\x11")
        assert terminal.end() == 0
        left_as_found(terminal)


def test_two_hundred_lines_are_pasted_as_one_question(kebab: Kebab) -> None:
    pasted = "\n".join(f"pasted {number}" for number in range(200))
    with (
        ScriptedModel([[Say(f"Read [1].{TAIL}")]]) as server,
        streaming(kebab, server) as terminal,
    ):
        terminal.send(f"\x1b[200~{WORDS}\n{pasted}\x1b[201~")
        terminal.until("pasted 199")
        assert server.requests == []
        terminal.send("\r")
        terminal.until("Read [1].")
        assert "pasted 0" in server.requests[0].text
        assert "pasted 199" in server.requests[0].text
        terminal.send("\x11")
        assert terminal.end() == 0
        left_as_found(terminal)


def test_suspended_from_the_palette_and_resumed_while_it_streams(kebab: Kebab) -> None:
    go_on = threading.Event()
    turn = [Say(LINES[:10]), Wait(go_on), Say(LINES[10:20]), Say(TAIL)]
    with ScriptedModel([turn]) as server, streaming(kebab, server) as terminal:
        terminal.send(WORDS + "\r")
        terminal.until("line 009")
        terminal.send("\x10")
        terminal.until("Search for commands")
        terminal.send("kebab: suspend")
        terminal.until("To the shell")
        terminal.send("\r")
        process = psutil.Process(terminal.pid)
        terminal.until(lambda: process.status() == psutil.STATUS_STOPPED)
        terminal.pump(5)
        left_as_found(terminal)
        terminal.signal(signal.SIGCONT)
        terminal.until(lambda: "\x1b[?1049h" in terminal.left_open())
        go_on.set()
        terminal.until("line 019")
        terminal.until("Answered")
        terminal.send("\x11")
        assert terminal.end() == 0
        left_as_found(terminal)


def test_after_a_crash_the_terminal_is_as_it_was_and_no_secret_is_printed(kebab: Kebab) -> None:
    program = """
from kebab_tui.chat import ChatScreen

def crash(self):
    secret = "sk-" + "secret"
    raise RuntimeError("forced")

ChatScreen.action_details = crash
from kebab_cli.main import main
main()
"""
    with kebab(program=(KEBAB[0], "-c", program)) as terminal:
        terminal.until("4 docs")
        terminal.send("\x1bOQ")  # f2
        assert terminal.end() != 0
        left_as_found(terminal)
        after = terminal.output.rpartition("\x1b[?1049l")[2]
        assert "RuntimeError" in after
        assert "sk-secret" not in terminal.output
