"""Every way a run can end but well: readers that leave, signals, time, failures, full disks."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from kebab_core.api import Answer, Turn
from kebab_core.sessions import SqliteSessions
from kebab_core.testing import ScriptedModel
from kebab_core.testing.script import Cut, Hang, Html, Say, Status
from tests.support.program import Kebab

NOTICE = "How long is the notice period?"
FIRST_THEN_SILENT = [Say(["The notice "]), Hang()]


def turns(kebab: Kebab) -> list[Turn]:
    """The stored turns of all sessions, one-off ones too."""
    sessions = SqliteSessions(Path(kebab.variables["KEBAB_DATA_DIR"]) / "sessions.sqlite3")
    try:
        listed = sessions.list(one_offs=True)
        return [turn for one in listed for turn in sessions.get(one.session_id).turns or ()]
    finally:
        sessions.close()


def assert_no_noise(text: str) -> None:
    for word in ("Traceback", "Exception ignored", "BrokenPipe", "Error in sys"):
        assert word not in text


def kept_partial(kebab: Kebab) -> Answer:
    [turn] = turns(kebab)
    assert turn.state == "cancelled"
    assert turn.answer is not None
    assert turn.answer.refusal_reason == "llm_stream_aborted"
    assert turn.answer.grounded is False
    return turn.answer


def full_pipe() -> tuple[int, int]:
    """Its two ends; it takes not a byte more."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    return reading, writing


# --- readers that leave --------------------------------------------------------------------


def test_head_takes_one_line_of_a_model_that_falls_silent(asking: Kebab) -> None:
    with ScriptedModel([FIRST_THEN_SILENT]) as model:
        asking.variables.update(model.environment)
        with asking.start("ask", "--stream", NOTICE) as process:
            assert process.stderr is not None
            lines = [process.stderr.readline() for _ in range(2)]
            assert '"delta":"The notice' in lines[1]
            left = time.monotonic()
            process.stderr.close()
            assert process.wait(10) == 1
            assert time.monotonic() - left < 2
        assert model.wait_hangup(2)
    assert kept_partial(asking).answer.startswith("The notice")


def test_head_in_a_real_pipeline(asking: Kebab) -> None:
    words = Say.words("The notice period is four weeks, " * 100, every=0.02)
    with ScriptedModel([[words]]) as model:
        asking.variables.update(model.environment)
        done = asking.shell(
            f'kebab ask --stream "{NOTICE}" 2>&1 >/dev/null | {{ head -n 1; date +%s.%N; }}\n'
            "codes=${PIPESTATUS[*]}; date +%s.%N; echo $codes"
        )
        assert model.wait_hangup(2)
    first, left, ended, codes = done.stdout.splitlines()
    assert json.loads(first)["kind"] == "retrieval_done"
    assert codes == "1 0"
    assert float(ended) - float(left) < 2
    assert done.stderr == ""
    kept_partial(asking)


@pytest.mark.parametrize("shut", [">&-", "2>&-"])
def test_a_descriptor_closed_from_the_start_is_a_closed_pipe(asking: Kebab, shut: str) -> None:
    with ScriptedModel([FIRST_THEN_SILENT]) as model:
        asking.variables.update(model.environment)
        began = time.monotonic()
        done = asking.shell(f'kebab ask --stream "{NOTICE}" {shut}; echo "code $?" >code')
        assert time.monotonic() - began < 10
    assert (asking.folder / "code").read_text() == "code 1\n"
    assert_no_noise(done.stderr + done.stdout)


def test_stdout_of_a_text_answer_that_nobody_reads(asking: Kebab) -> None:
    with ScriptedModel([FIRST_THEN_SILENT]) as model:
        asking.variables.update(model.environment)
        with asking.start("ask", NOTICE) as process:
            assert model.wait_requests(1, 20)
            assert process.stdout is not None
            process.stdout.close()
            assert process.wait(5) == 1
            assert process.stderr is not None
            assert process.stderr.read() == ""
    kept_partial(asking)


def test_a_pipe_that_breaks_after_the_final_keeps_the_whole_answer(asking: Kebab) -> None:
    # A full pipe holds the answer back until its reader leaves without it.
    reading, writing = full_pipe()
    with ScriptedModel([[Say("Four weeks [1].")]]) as model:
        asking.variables.update(model.environment)
        with asking.start("ask", "--stream", NOTICE, stdout=writing) as process:
            os.close(writing)
            assert process.stderr is not None
            while '"kind":"final"' not in process.stderr.readline():
                assert process.poll() is None
            os.close(reading)
            assert process.wait(5) == 1
            assert process.stderr.read() == ""
    [turn] = turns(asking)
    assert turn.state == "answered"
    assert turn.answer is not None
    assert turn.answer.answer == "Four weeks [1]."


# --- signals and time ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("machine", "number", "code"),
    [("--stream", signal.SIGINT, 130), ("--json", signal.SIGTERM, 143)],
)
def test_a_signal_ends_with_the_partial_answer(
    asking: Kebab, machine: str, number: int, code: int
) -> None:
    with ScriptedModel([FIRST_THEN_SILENT]) as model:
        asking.variables.update(model.environment)
        with asking.start("ask", machine, NOTICE) as process:
            assert model.wait_requests(1, 20)
            time.sleep(0.3)
            sent = time.monotonic()
            process.send_signal(number)
            stdout, stderr = process.communicate(timeout=10)
            assert time.monotonic() - sent < 2
        assert model.wait_hangup(2)
    assert process.returncode == code
    answer = json.loads(stdout)
    assert answer["answer"].startswith("The notice")
    assert (answer["finish_reason"], answer["refusal_reason"]) == (
        "cancelled",
        "llm_stream_aborted",
    )
    assert '"final"' not in stderr
    assert_no_noise(stderr)
    kept_partial(asking)


def test_a_reader_that_reads_nothing_does_not_hold_back_a_signal(asking: Kebab) -> None:
    reading, writing = full_pipe()
    try:
        with asking.start("ask", "--stream", "--model", "quote", NOTICE, stdout=writing) as process:
            os.close(writing)
            assert process.stderr is not None
            while '"kind":"final"' not in process.stderr.readline():
                assert process.poll() is None
            process.send_signal(signal.SIGTERM)
            assert process.wait(5) == 143
            assert_no_noise(process.stderr.read())
    finally:
        os.close(reading)


def test_a_time_limit_is_an_error_with_the_partial_answer(asking: Kebab) -> None:
    with ScriptedModel([FIRST_THEN_SILENT]) as model:
        done = asking("ask", "--stream", "--timeout", "3", NOTICE, env=model.environment)
        # A slow machine may need all of that time before it asks the model.
        assert not model.requests or model.wait_hangup(2)
    assert done.returncode == 2
    *events, error = done.stderr.splitlines()
    kinds = [json.loads(line)["kind"] for line in events]
    assert kinds == ["retrieval_done", "token"][: len(kinds)]
    assert json.loads(error)["code"] == "timeout"
    answer = json.loads(done.stdout)
    assert answer["refusal_reason"] == "llm_stream_aborted"
    assert answer["answer"] == ("The notice" if len(kinds) == 2 else "")


# --- failures ------------------------------------------------------------------------------

FAILURES: dict[str, tuple[list[Any], str | None]] = {
    "401": ([Status(401)], "model_refused"),
    "429": ([Status(429)], "rate_limited"),
    "html": ([Html()], None),
    "nothing": ([Say("")], "model_empty"),
    "cut in the middle": ([Say("The notice period is "), Cut()], "model_interrupted"),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_model_that_fails_is_error_v1_and_no_answer(asking: Kebab, name: str) -> None:
    script, code = FAILURES[name]
    with ScriptedModel([script], repeat=True) as model:
        done = asking("ask", "--stream", NOTICE, env=model.environment)
    assert (done.returncode, done.stdout) == (2, "")
    *events, last = done.stderr.splitlines()
    error = json.loads(last)
    assert error["schema_version"] == "error.v1"
    assert error["code"] == (code or error["code"])
    assert error["code"].startswith(("model_", "rate_"))
    assert error["message"]
    kinds = [json.loads(line)["kind"] for line in events]
    assert kinds[0] == "retrieval_done"
    assert "final" not in kinds
    [turn] = turns(asking)
    assert turn.error is not None
    assert (turn.state, turn.error.code) == ("failed", error["code"])


def test_a_model_that_nobody_runs(asking: Kebab) -> None:
    with ScriptedModel([]) as model:
        environment = model.environment
    for flag, says in (("--json", '"model_unreachable"'), ("--no-stream", "--model quote")):
        done = asking("ask", flag, NOTICE, env=environment)
        assert (done.returncode, done.stdout) == (2, "")
        assert says in done.stderr
        assert_no_noise(done.stderr)


def test_no_corpus_yet(kebab: Kebab) -> None:
    done = kebab("ask", "--stream", "--model", "quote", "Anything?")
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(done.stderr)["code"] == "not_indexed"
    done = kebab("ask", "--model", "quote", "Anything?")
    assert done.returncode == 2
    assert "kebab ingest" in done.stderr


@pytest.mark.parametrize("question", ["", "   ", "x" * 8001, "why? " * 20_000])
def test_a_question_that_can_not_be_one(asking: Kebab, question: str) -> None:
    done = asking("ask", "--json", "--model", "quote", question)
    assert (done.returncode, done.stdout) == (2, "")
    assert json.loads(done.stderr)["code"] == "invalid_input"


def test_a_session_that_does_not_exist(asking: Kebab) -> None:
    done = asking("ask", "--json", "--model", "quote", "--session", "nope", NOTICE)
    assert done.returncode == 2
    assert json.loads(done.stderr)["code"] == "not_found"


# --- writes that fail ----------------------------------------------------------------------


def test_a_full_disk_under_the_events(asking: Kebab) -> None:
    with ScriptedModel([FIRST_THEN_SILENT]) as model:
        asking.variables.update(model.environment)
        done = asking.shell(f'kebab ask --stream "{NOTICE}" 2>/dev/full; echo $?')
    assert done.stdout == "2\n"


def test_a_full_disk_under_the_answer(asking: Kebab) -> None:
    done = asking.shell(f'kebab ask --json --model quote "{NOTICE}" >/dev/full; echo $? >&2')
    error, code = done.stderr.splitlines()
    assert json.loads(error)["code"] == "io_error"
    assert code == "2"


def test_a_home_that_can_not_be_written_still_answers(asking: Kebab) -> None:
    data = Path(asking.variables["KEBAB_DATA_DIR"])
    # Running as root, modes don't bind: a folder in the file's place does.
    for name in ("sessions.sqlite3", "sessions.sqlite3-wal", "sessions.sqlite3-shm"):
        (data / name).unlink(missing_ok=True)
    (data / "sessions.sqlite3").mkdir()
    done = asking("ask", "--json", "--model", "quote", NOTICE)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert "four weeks" in answer["answer"]
    assert answer["caveats"]


def test_history_survives_a_kill(asking: Kebab) -> None:
    with ScriptedModel([FIRST_THEN_SILENT]) as model:
        asking.variables.update(model.environment)
        with asking.start("ask", "--stream", NOTICE) as process:
            assert model.wait_requests(1, 20)
            process.kill()
    database = Path(asking.variables["KEBAB_DATA_DIR"]) / "sessions.sqlite3"
    assert sqlite3.connect(database).execute("pragma integrity_check").fetchone() == ("ok",)
    [turn] = turns(asking)
    assert turn.state == "cancelled"
