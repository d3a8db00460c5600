"""Killed again and again, at random, while others search: nothing is ever seen half."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

from kebab_core.paths import Workspace
from kebab_core.store import Store
from kebab_core.testing import HashEmbedder
from tests.kebab_core.ingest.conftest import Desk
from tests.kebab_core.ingest.test_runs import PROGRAM, REPO, contents

NOTES = 60
PARTS = 3


def write_all(desk: Desk, version: int) -> None:
    """Each note anew, every third under another name than before."""
    for path in desk.notes.iterdir():
        path.unlink()
    for i in range(NOTES):
        parts = [f"## Part {p}\n\nv{version} of note{i} in part{p}.\n" for p in range(PARTS)]
        name = f"{i:03}-{version if i % 3 == 0 else 0}.md"
        # What only moves is the same under both names.
        if i % 3 == 0:
            parts = [f"## Part {p}\n\nv0 of note{i} in part{p}.\n" for p in range(PARTS)]
        desk.write(name, "\n".join(parts))


class Reader:
    """Searches without end in a thread of its own; `wrongs` are what it should not have seen."""

    def __init__(self, workspace: Workspace) -> None:
        self._store = Store.open(workspace)
        self._embedder = HashEmbedder(64)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.wrongs: list[object] = []
        self.searches = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        lot = random.Random(2)
        while not self._stop.is_set():
            i = lot.randrange(NOTES)
            try:
                self._look(i)
                self.searches += 1
            except Exception as failure:
                self.wrongs.append(failure)

    def _look(self, i: int) -> None:
        found = self._store.search_terms([f"note{i}"], 50)
        versions = {item.chunk.text.split("\n\n")[1].split()[0] for item in found}
        paths = {item.chunk.doc_path for item in found}
        if (len(found), len(versions), len(paths)) != (PARTS, 1, 1):
            self.wrongs.append([(item.chunk.doc_path, item.chunk.text) for item in found])
        near = self._store.search_vector(self._embedder.embed_query(f"note{i}"), PARTS)
        if not near:
            self.wrongs.append(f"nothing near note{i}")


@contextmanager
def killed_at(desk: Desk, line: int, pause: float) -> Iterator[None]:
    argv = [sys.executable, "-c", PROGRAM, str(desk.notes), str(desk.workspace.directory)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, cwd=REPO) as process:
        assert process.stdout is not None
        for n, _ in enumerate(process.stdout):
            if n >= line:
                time.sleep(pause)
                os.kill(process.pid, signal.SIGKILL)
                break
    yield


def _check_what_a_kill_left(store: Store) -> None:
    documents = {document.doc_id: document for document in store.documents()}
    for document in documents.values():
        # All of a version or, where it moved just then, none.
        assert len(store.chunks_of(document.doc_id)) in (0, document.chunk_count)
    for i in range(NOTES):
        found = store.search_terms([f"note{i}"], 50)
        assert len(found) == PARTS, i
        assert {item.chunk.doc_id for item in found} <= documents.keys()


def killed_again_and_again(desk: Desk, tmp_path: Path, times: int) -> None:
    lot = random.Random(times)
    reader = Reader(desk.workspace)
    write_all(desk, 0)
    desk.ingest()
    with reader:
        for version in range(1, times + 1):
            write_all(desk, version)
            with killed_at(desk, lot.randrange(2 * NOTES + 8), lot.uniform(0, 0.05)):
                _check_what_a_kill_left(desk.store)
        report = desk.ingest()
        assert report.aborted is None
    assert reader.wrongs == []
    assert reader.searches > 0
    undisturbed = Desk(Workspace("other", tmp_path / "other"), desk.notes, HashEmbedder(64))
    undisturbed.ingest()
    assert contents(desk.store) == contents(undisturbed.store)
    assert desk.store.counts() == undisturbed.store.counts()


@pytest.mark.timeout(400)
def test_killed_ten_times(desk: Desk, tmp_path: Path) -> None:
    killed_again_and_again(desk, tmp_path, 10)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_killed_fifty_times(desk: Desk, tmp_path: Path) -> None:
    killed_again_and_again(desk, tmp_path, 50)


@pytest.mark.parametrize("edits", [40, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.timeout(900)
def test_edits_in_a_row_dont_fill_the_disk(desk: Desk, tmp_path: Path, edits: int) -> None:
    write_all(desk, 0)
    desk.ingest()
    for n in range(edits):
        desk.write(f"{n % NOTES:03}-0.md", f"# Edited\n\nFor the time number {n}.\n" * 20)
        assert desk.ingest().updated == 1
    other = Desk(Workspace("other", tmp_path / "other"), desk.notes, HashEmbedder(64))
    other.ingest()
    assert desk.store.stats().bytes < 2 * other.store.stats().bytes
    assert contents(desk.store) == contents(other.store)
