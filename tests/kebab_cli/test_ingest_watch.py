"""`kebab ingest --watch` as a process: it follows, reports each burst, and ends when told."""

from __future__ import annotations

import json
import signal

import pytest

from tests.support.program import Kebab
from tests.support.schemas import valid

pytestmark = pytest.mark.usefixtures("default_model")


def test_each_burst_is_a_report_until_it_is_told_to_stop(kebab: Kebab) -> None:
    notes = kebab.folder / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("# A\n\nSomething to read.\n")
    with kebab.start("ingest", "--watch", "--json", "notes") as process:
        assert process.stdout is not None
        assert valid("ingest_report", process.stdout.readline())["new"] == 1
        (notes / "b.md").write_text("# B\n\nMore to read.\n")
        report = valid("ingest_report", process.stdout.readline())
        assert (report["new"], report["scope"]) == (1, [str(notes)])
        (notes / "a.md").rename(notes / "c.md")
        assert valid("ingest_report", process.stdout.readline())["moved"] == 1
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    for line in stderr.splitlines():
        valid("ingest_progress", line)


def test_what_can_not_be_watched(kebab: Kebab) -> None:
    notes = kebab.folder / "notes"
    notes.mkdir()
    for arguments in (["--dry-run", "notes"], ["https://example.org/"], ["-", "--title", "T"]):
        done = kebab("ingest", "--watch", "--json", *arguments, stdin="words")
        error = json.loads(done.stderr.splitlines()[-1])
        assert (done.returncode, error["code"]) == (2, "invalid_input"), arguments
