"""One writer, and the second learns who the first is."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from kebab_core.errors import IOFailed, KebabError, StoreLocked
from kebab_core.store import Store
from kebab_core.store.lock import WriterLock
from tests.support.corpus import EMBEDDER, stored, workspace


def test_a_second_writer_learns_who_the_first_is(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path / "writer.lock")
    other = WriterLock(tmp_path / "writer.lock")
    with lock.hold():
        with pytest.raises(StoreLocked) as caught, other.hold():
            pass
        error = caught.value
        assert f"process {os.getpid()} on {socket.gethostname()}, since 2" in error.message
        assert error.details["pid"] == os.getpid()
        assert error.hint
    with other.hold():
        assert other.holder() is not None
    assert other.holder() is None


def test_held_again_by_its_own_thread(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path / "writer.lock")
    with lock.hold():
        with lock.hold():
            pass
        assert lock.holder() is not None
        with pytest.raises(StoreLocked), WriterLock(tmp_path / "writer.lock").hold():
            pass


def test_another_thread_is_another_writer(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path / "writer.lock")
    raised: list[BaseException] = []

    def write() -> None:
        try:
            with lock.hold():
                pass
        except StoreLocked as error:
            raised.append(error)

    with lock.hold():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert len(raised) == 1
    thread = threading.Thread(target=write)
    thread.start()
    thread.join()
    assert len(raised) == 1


@pytest.mark.parametrize("note", ["", "not json", "[]", '{"pid": 1}', "\x00", '"x"'])
def test_a_note_that_can_not_be_read(tmp_path: Path, note: str) -> None:
    lock = WriterLock(tmp_path / "writer.lock")
    with lock.hold():
        lock.note.write_text(note)
        second = WriterLock(lock.path)
        with pytest.raises(StoreLocked, match="another process"), second.hold():
            pass


def test_a_killed_writer_leaves_no_lock(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from kebab_core.store.lock import WriterLock\n"
        "with WriterLock(Path(sys.argv[1])).hold():\n"
        "    print('held', flush=True); sys.stdin.read()"
    )
    lock = WriterLock(tmp_path / "writer.lock")
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(lock.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(StoreLocked, match=f"process {process.pid} on"), lock.hold():
            pass
        process.kill()
    assert json.loads(lock.note.read_text())["pid"] == process.pid
    with lock.hold():
        holder = lock.holder()
        assert holder is not None
        assert holder.pid == os.getpid()


def test_writing_takes_the_lock_and_reading_does_not(fresh: Store, tmp_path: Path) -> None:
    item = stored("a.md", ["cat"], EMBEDDER)
    fresh.replace([item])
    other = Store.open(workspace(tmp_path))
    with fresh.writer():
        assert other.counts() == (1, 1)
        writes: list[Callable[[], None]] = [
            lambda: other.replace([item]),
            lambda: other.remove([item.document.doc_id]),
            lambda: other.create(None, 8),
            other.optimize,
            lambda: other.remove_source("x"),
        ]
        for write in writes:
            with pytest.raises(StoreLocked):
                write()
        fresh.replace([item])


def test_a_place_where_no_lock_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KebabError) as caught, WriterLock(tmp_path / "file" / "writer.lock").hold():
        pass
    assert isinstance(caught.value, IOFailed)
    (tmp_path / "folder.lock").mkdir()
    with pytest.raises(KebabError), WriterLock(tmp_path / "folder.lock").hold():
        pass
