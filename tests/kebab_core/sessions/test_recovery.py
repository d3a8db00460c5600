"""A turn whose process died is closed; one whose process lives is left alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from kebab_core.sessions import SqliteSessions
from kebab_core.sessions.runner import is_alive, this_process

REPO = Path(__file__).resolve().parents[3]
BEGIN = """
import sys, time
from pathlib import Path
from kebab_core.sessions import SqliteSessions
begun = SqliteSessions(Path(sys.argv[1])).begin_turn(None, "Why?", "cli")
print(begun.session_id, flush=True)
time.sleep(60)
"""


def test_a_dead_processs_turn_is_closed_and_a_live_ones_is_not(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    process = subprocess.Popen(
        [sys.executable, "-c", BEGIN, str(path)], stdout=subprocess.PIPE, text=True, cwd=REPO
    )
    assert process.stdout is not None
    session_id = process.stdout.readline().strip()
    try:
        sessions = SqliteSessions(path)
        assert (sessions.get(session_id).turns or [])[0].state == "running"
        sessions.close()
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
    [turn] = SqliteSessions(path).get(session_id).turns or []
    assert turn.state == "cancelled"
    assert turn.answer is not None
    assert turn.answer.refusal_reason == "llm_stream_aborted"
    assert turn.answer.caveats
    assert not turn.answer.grounded


def test_our_own_running_turn_survives_a_second_opening(tmp_path: Path) -> None:
    path = tmp_path / "sessions.sqlite3"
    begun = SqliteSessions(path).begin_turn(None, "Why?", "cli")
    [turn] = SqliteSessions(path).get(begun.session_id).turns or []
    assert turn.state == "running"


def close_with_runner(path: Path, runner: str | None, created_at: str | None = None) -> str:
    sessions = SqliteSessions(path)
    begun = sessions.begin_turn(None, "Why?", "cli")
    with sessions._database.writing() as connection:
        connection.execute("UPDATE turns SET runner = ?", (runner,))
        if created_at:
            connection.execute("UPDATE turns SET created_at = ?", (created_at,))
    sessions.close()
    return (sessions.get(begun.session_id).turns or [])[0].state


def test_a_pid_that_was_given_to_another_process(tmp_path: Path) -> None:
    host, pid, _ = this_process().split(" ", 2)
    assert close_with_runner(tmp_path / "db", f"{host} {pid} some-earlier-start") == "cancelled"


def test_another_machines_turn_is_left_for_a_day(tmp_path: Path) -> None:
    elsewhere = "elsewhere 1 1"
    assert close_with_runner(tmp_path / "new", elsewhere) == "running"
    old = "2020-01-01T00:00:00.000000+00:00"
    assert close_with_runner(tmp_path / "old", elsewhere, old) == "cancelled"


def test_who_is_alive() -> None:
    assert is_alive(this_process())
    host = this_process().split(" ")[0]
    assert is_alive(f"{host} {os.getpid()} -")
    assert not is_alive(f"{host} {2**22 + 1} 5")
    assert not is_alive(None)
    assert not is_alive("rubbish")
    assert is_alive("elsewhere 1 1") is None
