"""The file itself: whose it is, what happens where it can't be written, and two processes."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kebab_core.errors import IndexIncompatible, IOFailed, KebabError, NotFound
from kebab_core.sessions import SqliteSessions
from kebab_core.sessions.schema import MIGRATIONS

REPO = Path(__file__).resolve().parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "workspace" / "sessions.sqlite3"


def run(code: str, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        cwd=REPO,
    )
    return done.stdout


def test_making_it_touches_nothing(path: Path) -> None:
    SqliteSessions(path).close()
    assert not path.parent.exists()


@pytest.mark.skipif(os.name == "nt", reason="rights work otherwise there")
def test_only_the_owner_reads_it(path: Path) -> None:
    before = os.umask(0)
    try:
        sessions = SqliteSessions(path)
        sessions.create("chat")
        rights = {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert rights == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    sessions.close()


def test_it_is_reopened(path: Path) -> None:
    sessions = SqliteSessions(path)
    session_id = sessions.create("chat", "Leave")
    sessions.close()
    assert sessions.get(session_id).title == "Leave"
    sessions.close()
    assert SqliteSessions(path).get(session_id).title == "Leave"


def test_a_newer_database_is_refused(path: Path) -> None:
    sessions = SqliteSessions(path)
    sessions.create("chat")
    sessions.close()
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO schema_version VALUES (?)", (len(MIGRATIONS) + 1,))
    connection.close()
    with pytest.raises(IndexIncompatible, match="newer kebab"):
        sessions.list()


def test_a_damaged_file_is_not_touched(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database " * 500)
    before = path.read_bytes()
    with pytest.raises(IOFailed, match="damaged"):
        SqliteSessions(path).list()
    assert path.read_bytes() == before


def test_a_full_disk_loses_nothing_that_was_kept(path: Path) -> None:
    sessions = SqliteSessions(path)
    session_id = sessions.create("chat", "kept")
    with sessions._database.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")

    def fill() -> None:
        for _ in range(200):
            sessions.begin_turn(session_id, "x" * 500, "chat")

    with pytest.raises(IOFailed, match="disk is full"):
        fill()
    assert sessions.get(session_id).title == "kept"
    sessions.rename(session_id, "usable")
    sessions.close()


READ_ONLY = """
import os, sys
from pathlib import Path
from kebab_core.errors import PermissionDenied
from kebab_core.sessions import SqliteSessions
path = Path(sys.argv[1])
if os.geteuid() == 0:  # root writes anywhere
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
sessions = SqliteSessions(path)
print([item.title for item in sessions.list()], sessions.last())
try:
    sessions.create("chat")
except PermissionDenied as denied:
    print(denied.message)
"""


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no users like these")
@pytest.mark.parametrize("exists", [True, False])
def test_someone_who_may_not_write(tmp_path_factory: pytest.TempPathFactory, exists: bool) -> None:
    # Their way to the file must be open, which pytest's own folders aren't.
    import tempfile

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "sessions.sqlite3"
        last = None
        if exists:
            sessions = SqliteSessions(path)
            last = sessions.create("chat", "kept")
            sessions.close()
            path.chmod(0o444)
        folder.chmod(0o555)
        try:
            said = run(READ_ONLY, path)
        finally:
            folder.chmod(0o755)
    assert said.splitlines() == [
        f"{['kept'] if exists else []} {last}",
        f"The session history {path} may not be written.",
    ]


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "workspace").write_text("in the way")
    with pytest.raises(KebabError) as failed:
        SqliteSessions(tmp_path / "workspace" / "sessions.sqlite3").create("chat")
    assert failed.value.code in ("io_error", "permission_denied")
    assert failed.value.hint


def test_a_failed_transaction_leaves_nothing_half_done(path: Path) -> None:
    sessions = SqliteSessions(path)
    session_id = sessions.create("chat", "kept")

    def change_ones_mind() -> None:
        with sessions._database.writing() as connection:
            connection.execute("DELETE FROM sessions")
            raise NotFound("changed my mind")

    with pytest.raises(NotFound):
        change_ones_mind()
    assert sessions.get(session_id).title == "kept"
    sessions.close()


TURNS = """
import sys
from pathlib import Path
from kebab_core.sessions import SqliteSessions
sessions = SqliteSessions(Path(sys.argv[1]))
for _ in range(15):
    begun = sessions.begin_turn(sys.argv[2], "?", "cli")
    sessions.finish_turn(begun, state="answered", answer=None, error=None, hits=())
    print(begun.turn_index)
"""


def test_two_processes_on_one_session(path: Path) -> None:
    sessions = SqliteSessions(path)
    session_id = sessions.create("chat")
    started = [
        subprocess.Popen(
            [sys.executable, "-c", TURNS, str(path), session_id],
            stdout=subprocess.PIPE,
            text=True,
            cwd=REPO,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=60)[0] for process in started]
    indices = [int(line) for output in outputs for line in output.split()]
    assert sorted(indices) == list(range(30))
    assert [turn.turn_index for turn in sessions.get(session_id).turns or []] == list(range(30))
    sessions.close()


FIRST = """
import sys, time
from pathlib import Path
from kebab_core.sessions import SqliteSessions
time.sleep(max(0, float(sys.argv[2]) - time.time()))
print(SqliteSessions(Path(sys.argv[1])).begin_turn(None, "?", "cli").session_id)
"""


def test_several_processes_make_it_at_the_same_time(path: Path) -> None:
    import time

    start = time.time() + 0.7
    started = [
        subprocess.Popen(
            [sys.executable, "-c", FIRST, str(path), str(start)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=REPO,
        )
        for _ in range(4)
    ]
    ended = [process.communicate(timeout=60) for process in started]
    assert [errors for _, errors in ended] == [""] * 4
    assert len(SqliteSessions(path).list(one_offs=True)) == 4
