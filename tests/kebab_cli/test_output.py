"""What reaches the reader: safe text, colours only where they are wanted, machines undisturbed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from kebab_cli.output import Output, bad, render, strong
from kebab_cli.stream import PipeClosed, Stream

ESCAPES = "a\x1b[31mred\x07\x9b2J\u202etxt"


def test_control_characters_of_others_never_pass() -> None:
    for colours in (False, True):
        shown = render((strong("[1]"), " ", ESCAPES, bad(ESCAPES)), colours)
        without_tones = shown.replace("\x1b[1m", "").replace("\x1b[0m", "").replace("\x1b[31m", "")
        assert "\x1b" not in without_tones.replace("\x1b[31m", "")
        assert "\x9b" not in shown
        assert "␛[31mred␇" in shown


def piped(output: Output) -> tuple[int, int]:
    """Lead stdout and stderr of `output` into pipes; the ends to read from."""
    out_reading, out_writing = os.pipe()
    err_reading, err_writing = os.pipe()
    output.stdout = Stream(out_writing, "stdout")
    output.stderr = Stream(err_writing, "stderr")
    return out_reading, err_reading


def test_results_on_stdout_notes_on_stderr() -> None:
    output = Output()
    out, err = piped(output)
    output.line("found ", ESCAPES[:6])
    output.note("careful")
    assert os.read(out, 100) == "found a␛[31m\n".encode()
    assert os.read(err, 100) == b"careful\n"


def test_machines_and_the_quiet_get_no_notes() -> None:
    output = Output()
    _, err = piped(output)
    output.quiet = True
    output.note("said to nobody")
    output.quiet, output.machine = False, True
    output.note("said to nobody")
    output.fleeting("said to nobody")
    output.event('{"a":1}')
    assert os.read(err, 100) == b'{"a":1}\n'


def test_a_pipe_gets_no_colours_and_no_fleeting_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    output = Output()
    out, err = piped(output)
    output.fleeting("working")
    output.line(strong("x"))
    output.note("end")
    assert os.read(out, 100) == b"x\n"
    assert os.read(err, 100) == b"end\n"


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": ""}, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
    ],
)
def test_colours_follow_the_conventions(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    main_end, terminal = os.openpty()
    try:
        output = Output()
        output.stderr = Stream(terminal, "stderr")
        assert output.colours() is expected
    finally:
        os.close(main_end)
        os.close(terminal)


def test_a_file_for_libraries_fails_as_the_stream_does() -> None:
    output = Output()
    out, _ = piped(output)
    os.close(out)
    with pytest.raises(PipeClosed):
        output.file(output.stdout).write("x")
    heard: list[object] = []
    output.file(output.stdout, on_failure=heard.append).write("x")
    assert [type(failure) for failure in heard] == [PipeClosed]


def test_only_events_reach_a_kept_stderr() -> None:
    code = (
        "import os, sys, warnings; from kebab_cli.output import Output\n"
        "output = Output(); output.keep_stderr_clean()\n"
        "os.write(2, b'noise of a library'); print('noise', file=sys.stderr)\n"
        "warnings.warn('noise'); output.event('{}')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stderr == b"{}\n"
