from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from kebab_core.testing.script import (
    Call,
    Calls,
    Cut,
    End,
    Fail,
    Finish,
    Hang,
    Html,
    KeepAlive,
    Pause,
    Raw,
    Say,
    Status,
    Step,
    Think,
    Usage,
    load_script,
    step_from_json,
    turns_from_json,
)


@pytest.mark.parametrize(
    ("value", "step"),
    [
        ("a", Say("a")),
        ({"say": ["a", "b"]}, Say(["a", "b"])),
        ({"say": {"text": "a", "every": 0.1}}, Say("a", 0.1)),
        ({"words": "a b"}, Say(["a ", "b"])),
        ({"words": {"text": "a b", "every": 0.1}}, Say(["a ", "b"], 0.1)),
        ({"think": "hm"}, Think("hm")),
        ({"call": {"name": "f", "arguments": ["{", "}"]}}, Call("f", ["{", "}"])),
        ({"calls": [{"name": "f"}, {"name": "g"}]}, Calls([Call("f"), Call("g")])),
        ({"pause": 1}, Pause(1.0)),
        ({"hang": True}, Hang()),
        ({"keep_alive": True}, KeepAlive()),
        ({"cut": True}, Cut()),
        ({"end": True}, End()),
        ({"status": 500}, Status(500)),
        ({"status": {"code": 429, "headers": {"A": "b"}}}, Status(429, headers={"A": "b"})),
        ({"html": True}, Html()),
        ({"html": "<p>"}, Html("<p>")),
        ({"raw": "x"}, Raw("x")),
        ({"fail": "x"}, Fail("x")),
        ({"fail": {"message": "x", "code": 500}}, Fail("x", code=500)),
        ({"usage": {"prompt": 1, "completion": 2}}, Usage(1, 2)),
        ({"finish": "length"}, Finish("length")),
    ],
)
def test_every_step_can_be_written_as_json(value: Any, step: Step) -> None:
    assert step_from_json(json.loads(json.dumps(value))) == step


@pytest.mark.parametrize("value", [{"sya": "a"}, {}, {"say": "a", "pause": 1}, 3, None, ["a"]])
def test_a_step_that_does_not_exist_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="no such step"):
        step_from_json(value)


def test_a_turn_may_be_one_string() -> None:
    assert turns_from_json(["a b", ["c"]]) == [[Say(["a ", "b"])], [Say("c")]]


def test_a_file_holds_turns_alone_or_with_the_server_s_options(tmp_path: Path) -> None:
    alone, whole = tmp_path / "alone.json", tmp_path / "whole.json"
    alone.write_text('["a"]', encoding="utf-8")
    whole.write_text('{"turns": ["a"], "repeat": true}', encoding="utf-8")
    assert load_script(alone) == {"turns": [[Say(["a"])]]}
    assert load_script(whole) == {"turns": [[Say(["a"])]], "repeat": True}


# --- as a process -------------------------------------------------------------------------


def serve(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "kebab_core.testing", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_process_prints_its_address_serves_and_keeps_a_log(tmp_path: Path) -> None:
    script, log = tmp_path / "script.json", tmp_path / "log.ndjson"
    script.write_text('[["one"], ["two", {"hang": true}]]', encoding="utf-8")
    with serve("--script", str(script), "--log", str(log)) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert "one" in httpx.post(f"{url}/chat/completions", json={"model": "m"}).text
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(f"{url}/chat/completions", json={}, timeout=httpx.Timeout(10, read=0.2))
        until = time.monotonic() + 10
        while '"hangup"' not in log.read_text(encoding="utf-8") and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [line.get("request", line.get("hangup")) for line in lines] == [0, 1, 1]
    assert lines[0]["body"] == {"model": "m"}


@pytest.mark.parametrize(
    "arguments", [[], ["--script", "/nowhere.json"], ["--script", "a", "--say", "b"]]
)
def test_a_wrong_command_line_says_why(arguments: list[str]) -> None:
    with serve(*arguments) as process:
        _, told = process.communicate(timeout=20)
    assert process.returncode == 2
    assert "Traceback" not in told
    assert "error:" in told
