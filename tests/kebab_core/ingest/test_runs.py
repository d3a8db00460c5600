"""Runs that don't go smoothly: stopped, refused, killed, without a model, with another one."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab_core.errors import (
    EmbedderUnavailable,
    IndexIncompatible,
    IOFailed,
    StoreLocked,
)
from kebab_core.paths import Workspace
from kebab_core.store import Store, StoredSource
from kebab_core.testing import HashEmbedder
from kebab_core.types import (
    AssetFinished,
    EmbedBatchFinished,
    IngestAborted,
    IngestCompleted,
    IngestEvent,
    ScanStarted,
)
from tests.kebab_core.ingest.conftest import Desk
from tests.support.old_corpus import made_by_layout_1

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

REPO = Path(__file__).resolve().parents[3]


class SlowEmbedder(HashEmbedder):
    """Takes its time, or fails at a text."""

    def __init__(self, seconds: float = 0, fails_at: str = "\0") -> None:
        super().__init__(64)
        self.seconds = seconds
        self.fails_at = fails_at

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        time.sleep(self.seconds * len(texts))
        if any(self.fails_at in text for text in texts):
            raise EmbedderUnavailable("The embedding server stopped answering.")
        return super().embed_passages(texts)


def ends(events: Sequence[IngestEvent]) -> list[IngestEvent]:
    return [event for event in events if isinstance(event, IngestCompleted | IngestAborted)]


def many(desk: Desk, n: int) -> None:
    for i in range(n):
        desk.write(f"{i:03}.md", f"# Note {i}\n\nWords of note {i}, and topic{i}.")


# --- stopped ---------------------------------------------------------------------------------


def test_cancelling_stops_soon_and_keeps_what_is_committed(desk: Desk) -> None:
    many(desk, 200)
    desk.embedder = SlowEmbedder(0.004)
    stop = threading.Event()
    stopped_at: list[float] = []

    def watch(event: IngestEvent) -> None:
        if isinstance(event, AssetFinished) and not stop.is_set():
            stop.set()
            stopped_at.append(time.monotonic())

    report = desk.ingest(cancelled=stop.is_set, on_event=watch)
    assert time.monotonic() - stopped_at[0] < 1
    assert report.aborted == "cancelled"
    assert [type(event) for event in ends(desk.events)] == [IngestAborted]
    assert isinstance(desk.events[-1], IngestAborted)
    documents, chunks = desk.store.counts()
    assert 0 < documents == report.new == report.chunks_indexed < 200
    assert chunks == documents
    again = desk.ingest()
    assert (again.unchanged, again.new, again.aborted) == (documents, 200 - documents, None)


def test_cancelling_before_anything_is_read(desk: Desk) -> None:
    many(desk, 3)
    report = desk.ingest(cancelled=lambda: True)
    assert (report.aborted, report.new) == ("cancelled", 0)
    assert [type(event) for event in desk.events] == [ScanStarted, IngestAborted]
    assert not desk.store.exists()


def test_an_embedder_that_fails_ends_the_run_and_keeps_the_batches_before(desk: Desk) -> None:
    many(desk, 200)
    desk.embedder = SlowEmbedder(fails_at="topic150")
    with pytest.raises(EmbedderUnavailable, match="stopped answering"):
        desk.ingest()
    (end,) = ends(desk.events)
    assert end == desk.events[-1]
    assert isinstance(end, IngestAborted)
    assert end.reason == "The embedding server stopped answering."
    documents, _ = desk.store.counts()
    assert documents == end.counts.new == 64
    desk.embedder = SlowEmbedder()
    assert desk.ingest().new == 136
    names = {thread.name for thread in threading.enumerate()}
    assert not names & {"kebab-read", "kebab-embed"}


def test_a_listener_that_fails_ends_the_run_once(desk: Desk) -> None:
    many(desk, 3)
    heard: list[IngestEvent] = []

    def fail(event: IngestEvent) -> None:
        heard.append(event)
        if isinstance(event, EmbedBatchFinished):
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        desk.ingest(on_event=fail)
    assert isinstance(heard[-1], EmbedBatchFinished)


# --- killed ----------------------------------------------------------------------------------

PROGRAM = """
import sys
from pathlib import Path
from kebab_core.ingest import ingest
from kebab_core.paths import Workspace
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.model import Settings
from kebab_core.settings.state import UserState
from kebab_core.store import Store, StoredSource
from kebab_core.testing import HashEmbedder
from kebab_core.types import IngestOptions

workspace = Workspace("test", Path(sys.argv[2]))
report = ingest(
    Store.open(workspace), HashEmbedder(64), [sys.argv[1]], IngestOptions(),
    Configuration(settings=Settings(), workspace=workspace, state=UserState.open()),
    on_event=lambda event: print(type(event).__name__, flush=True), cancelled=lambda: False,
)
print(report.to_line(), flush=True)
"""


def contents(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All that is stored, but for times."""
    return {
        item.doc_path: [
            (item.text, item.content_hash, item.chunk_count),
            *((c.chunk_id, c.text, c.start, c.end) for c in store.chunks_of(item.doc_id)),
        ]
        for item in store.documents(with_text=True)
    }


def kill_and_go_on(desk: Desk, tmp_path: Path, moments: Sequence[int]) -> None:
    many(desk, 100)
    undisturbed = Desk(Workspace("other", tmp_path / "other"), desk.notes, HashEmbedder(64))
    undisturbed.ingest()
    expected = contents(undisturbed.store)
    argv = [sys.executable, "-c", PROGRAM, str(desk.notes), str(desk.workspace.directory)]
    for moment in moments:
        with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, cwd=REPO) as process:
            assert process.stdout is not None
            seen = 0
            for line in process.stdout:
                seen += line.startswith("AssetFinished")
                if seen >= moment:
                    os.kill(process.pid, signal.SIGKILL)
                    break
        if desk.store.exists():
            found = contents(desk.store)
            assert {path: found[path] for path in found} == {path: expected[path] for path in found}
    desk.ingest()
    assert contents(desk.store) == expected
    assert desk.store.counts() == undisturbed.store.counts()


def test_killed_amid_commits_the_next_run_goes_on(desk: Desk, tmp_path: Path) -> None:
    kill_and_go_on(desk, tmp_path, [1])


@pytest.mark.long
@pytest.mark.timeout(900)
def test_killed_at_many_moments_the_next_run_goes_on(desk: Desk, tmp_path: Path) -> None:
    kill_and_go_on(desk, tmp_path, [*range(0, 100, 5)])


# --- refused ---------------------------------------------------------------------------------


def test_another_writer_is_named(desk: Desk) -> None:
    many(desk, 2)
    desk.ingest()
    code = (
        "import sys; from pathlib import Path; from kebab_core.paths import Workspace\n"
        "from kebab_core.store import Store\n"
        "with Store.open(Workspace('test', Path(sys.argv[1]))).writer():\n"
        "    print('held', flush=True); sys.stdin.read()"
    )
    argv = [sys.executable, "-c", code, str(desk.workspace.directory)]
    with subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=REPO
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(StoreLocked, match=str(other.pid)):
            desk.ingest()
        assert desk.events == []
        assert desk.ingest(dry_run=True).unchanged == 2  # it only looks
        assert other.stdin is not None
        other.stdin.close()
    assert desk.ingest().unchanged == 2


def test_a_full_disk_leaves_the_corpus_as_it_was(desk: Desk) -> None:
    many(desk, 3)
    desk.ingest()
    before = contents(desk.store)
    desk.write("large.md", "\n\n".join(f"Paragraph {i} of many words." * 9 for i in range(2000)))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # A limit on a file's size is refused like a full disk, and needs no disk to fill.
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(IOFailed, match="no room is left"):
            desk.ingest()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    (end,) = ends(desk.events)
    assert isinstance(end, IngestAborted)
    assert contents(desk.store) == before
    assert desk.ingest().new == 1


# --- models ----------------------------------------------------------------------------------


def test_without_a_model_the_corpus_is_lexical_until_there_is_one(desk: Desk) -> None:
    many(desk, 3)
    desk.embedder = None
    assert (desk.ingest().new, desk.ingest().unchanged) == (3, 3)
    assert desk.store.meta is not None
    assert desk.store.meta.embedding_id is None
    assert desk.store.search_terms(["topic1"], 3)[0].chunk.doc_path == "001.md"
    assert {item.embedding_id for item in desk.documents().values()} == {None}
    desk.embedder = embedder = HashEmbedder(64)
    report = desk.ingest()
    assert (report.updated, report.embeddings_computed) == (3, 3)
    assert {item.embedding_id for item in desk.documents().values()} == {"hash@64"}
    found = desk.store.search_vector(embedder.embed_query("topic2"), 1)
    assert found[0].chunk.doc_path == "002.md"
    assert desk.ingest().unchanged == 3


def test_a_corpus_with_vectors_wants_its_model(desk: Desk) -> None:
    many(desk, 3)
    desk.ingest()
    desk.embedder = None
    with pytest.raises(EmbedderUnavailable, match="hash@64"):
        desk.ingest()
    assert desk.events == []


def test_an_older_kebabs_corpus_is_made_anew_by_forcing(desk: Desk) -> None:
    made_by_layout_1(desk.workspace.directory)
    desk.write("a.md", "A cat sat.")
    desk.embedder = HashEmbedder(32)
    for force in (False, True):  # with a path, the rest would be lost
        with pytest.raises(IndexIncompatible, match="older kebab") as caught:
            desk.ingest(force=force)
        assert "`kebab ingest --force`" in (caught.value.hint or "")
    desk.store.set_source(StoredSource("notes", str(desk.notes), "command line"))
    assert desk.ingest(everything=True, force=True).updated == 1
    assert desk.store.search_terms(["cat"], 3)[0].chunk.text == "A cat sat."
    assert desk.ingest().unchanged == 1


# --- what may not be read --------------------------------------------------------------------


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without root's right to read everything, where the tests run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


def test_unreadable_files_and_folders_are_reported_and_passed_over(desk: Desk) -> None:
    desk.write("warm.md", "---\ntitle: A\n---\n# Warm\n\nEverything is imported while it may be.")
    desk.write(".gitignore", "*.log")
    desk.ingest()
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        other = Desk(Workspace("other", base / "workspace"), base, HashEmbedder(64))
        folder = other.write("notes/a.md", "words").parent
        locked = other.write("notes/locked/c.md", "words").parent
        other.ingest(folder)
        other.write("notes/b.md", "words").chmod(0)
        if os.geteuid() == 0:
            for path in (base, *base.rglob("*")):
                os.chown(path, 65534, 65534)
        locked.chmod(0)
        configuration = other.configuration()
        with as_nobody():
            report = other.ingest(folder, configuration=configuration)
            again = other.ingest(folder, configuration=configuration)
            paths = other.paths()
        locked.chmod(0o700)
    assert (report.new, report.removed, report.errors) == (0, 0, 2)
    assert (again.unchanged, again.removed, again.errors) == (1, 0, 2)
    assert report.items is not None
    reasons = {item.doc_path: item.reason for item in report.items if item.kind == "error"}
    assert reasons == {
        "b.md": "permission denied",
        "locked": "the folder can't be read: permission denied",
    }
    assert paths == ["a.md", "locked/c.md"]  # nobody knows that it is gone
