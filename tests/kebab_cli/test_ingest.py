"""`kebab ingest` from outside: reports, exit codes, interruptions, bad input."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.support.program import Kebab
from tests.support.schemas import valid

pytestmark = pytest.mark.usefixtures("default_model")


def note(folder: Path, name: str, text: str = "# Note\n\nSomething to read.\n") -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


def test_progress_and_report_for_machines(kebab: Kebab) -> None:
    note(kebab.folder / "notes", "a.md")
    done = kebab("ingest", "--json", "notes")
    assert done.returncode == 0, done.stderr
    kinds = [valid("ingest_progress", line)["kind"] for line in done.stderr.splitlines()]
    assert kinds[0] in ("scan_started", "notice")
    assert kinds[-1] == "completed"
    assert kinds.count("completed") == 1
    report = valid("ingest_report", done.stdout)
    assert (report["new"], report["errors"], report["aborted"]) == (1, 0, None)


def test_what_can_not_be_read_is_reported_and_nothing_else_lost(kebab: Kebab) -> None:
    folder = kebab.folder / "mixed"
    note(folder, "good.md")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    (folder / "empty.md").write_bytes(b"")
    (folder / "picture.bin").write_bytes(bytes(range(256)) * 10)
    done = kebab("ingest", "mixed")
    assert done.returncode == 0, done.stderr
    assert "1 new, 2 skipped, 1 error" in done.stdout
    assert "✗ broken.pdf: " in done.stdout


def test_nothing_but_failures_is_an_error(kebab: Kebab) -> None:
    folder = kebab.folder / "broken"
    folder.mkdir()
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 and then nothing")
    assert kebab("ingest", "broken").returncode == 2


def test_paths_that_are_not_there(kebab: Kebab) -> None:
    done = kebab("ingest", "--json", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    error = json.loads(done.stderr.splitlines()[-1])
    assert error["schema_version"] == "error.v1"
    assert "nowhere" in error["message"]


def test_an_empty_folder_is_said_once(kebab: Kebab) -> None:
    (kebab.folder / "empty").mkdir()
    done = kebab("ingest", "empty")
    assert done.returncode == 0
    assert (done.stdout + done.stderr).count("nothing to read") == 1


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_stops_after_a_batch_and_reports(kebab: Kebab, number: int, code: int) -> None:
    for index in range(300):
        note(kebab.folder / "many", f"{index}.md", f"# Note {index}\n\nText {index} to read.\n")
    with kebab.start("ingest", "--json", "many") as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "asset_started" in line:
                break
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == code
    report = valid("ingest_report", stdout)
    assert report["aborted"]
    assert json.loads(stderr.splitlines()[-1])["kind"] == "aborted"


def test_a_reader_that_leaves_stops_it_silently(kebab: Kebab) -> None:
    for index in range(300):
        note(kebab.folder / "many", f"{index}.md", f"# Note {index}\n\nText {index} to read.\n")
    done = kebab.shell(
        "kebab ingest --json many 2>&1 >/dev/null | head -n 1; echo ${PIPESTATUS[0]}"
    )
    first, code = done.stdout.splitlines()
    assert json.loads(first)["schema_version"] == "ingest_progress.v1"
    assert code == "1"
    assert done.stderr == ""
