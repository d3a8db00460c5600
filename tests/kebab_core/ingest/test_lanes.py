"""Files that are read apart: several at a time, and none of them can end or hold up a run."""

from __future__ import annotations

import threading
import time
from collections import Counter

import pytest

from kebab_core.ingest.extract import process as process_of
from kebab_core.types import AssetFinished, AssetStarted, IngestEvent
from tests.kebab_core.ingest.conftest import Desk
from tests.kebab_core.ingest.extract.hostile import HOSTILE, children
from tests.kebab_core.ingest.extract.make_pdf import pdf


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The processes that were started."""
    seen: list[object] = []
    start = process_of.Process._start

    def noted(self: process_of.Process) -> object:
        seen.append(self)
        return start(self)

    monkeypatch.setattr(process_of.Process, "_start", noted)
    return seen


def test_text_starts_no_process(desk: Desk, started: list[object]) -> None:
    for i in range(9):
        desk.write(f"{i}.md", f"# Note {i}\n\nWords.")
    desk.write("a.txt", "plain")
    assert desk.ingest().new == 10
    assert started == []


def test_each_lane_has_one_process_and_none_is_left(desk: Desk, started: list[object]) -> None:
    desk.settings["ingest"] = {"workers": 3}
    for i in range(8):
        desk.write(f"{i}.pdf", pdf([f"Page of document {i}."]))
    desk.write("download", pdf(["Not said by its name."]))
    desk.write("a.md", "# A")
    report = desk.ingest()
    assert (report.new, report.errors) == (10, 0)
    assert 1 <= len(set(started)) == len(started) <= 3
    assert children() == []
    for kind in (AssetStarted, AssetFinished):
        told = Counter(event.doc_path for event in desk.events if isinstance(event, kind))
        assert set(told) == set(desk.paths())
        assert set(told.values()) == {1}
    assert "Not said" in desk.documents()["download"].text


def test_one_worker_reads_all(desk: Desk, started: list[object]) -> None:
    desk.settings["ingest"] = {"workers": 1}
    for i in range(4):
        desk.write(f"{i}.pdf", pdf([f"Page of document {i}."]))
    assert desk.ingest().new == 4
    assert len(started) == 1


def test_hostile_files_are_errors_of_their_own(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_of, "_PROGRAM", HOSTILE)
    desk.settings["ingest"] = {"workers": 2, "max_file_seconds": 3}
    for words in ("hang", "crash", "bloat", "leave"):
        desk.write(f"{words}.pdf", words)
    for i in range(6):
        desk.write(f"{i}.pdf", pdf([f"Page of document {i}."]))
    desk.write("a.md", "# A")
    report = desk.ingest()
    assert (report.new, report.errors) == (7, 4)
    reasons = {item.doc_path: item.reason or "" for item in report.items or [] if item.reason}
    assert "max_file_seconds" in reasons["hang.pdf"]
    assert "SIGSEGV" in reasons["crash.pdf"]
    assert "memory" in reasons["bloat.pdf"]
    assert "exit status 3" in reasons["leave.pdf"]
    assert children() == []


def test_a_run_that_is_cancelled_leaves_no_reader_that_hangs(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_of, "_PROGRAM", HOSTILE)
    desk.write("hang.pdf", "hang")
    stop = threading.Event()
    stopped: list[float] = []

    def hear(event: IngestEvent) -> None:
        if isinstance(event, AssetStarted):
            stopped.append(time.monotonic())
            stop.set()

    report = desk.ingest(cancelled=stop.is_set, on_event=hear)
    assert report.aborted == "cancelled"
    assert stopped
    assert children() == []
