"""What a person reads at the end of an ingest."""

from __future__ import annotations

from kebab_cli.ingest_text import report_lines
from kebab_cli.output import render
from kebab_core.api import IngestReport
from kebab_core.wire.ingest import IngestItem


def item(kind: str, path: str, **fields: object) -> IngestItem:
    values = {"kind": kind, "source_id": "notes", "doc_path": path, "chunks": 1, "ms": 1}
    return IngestItem.model_validate(values | fields)


COUNTS = """scanned new updated unchanged removed skipped errors
    chunks_indexed embeddings_computed embeddings_reused duration_ms"""


def report(**fields: object) -> IngestReport:
    values: dict[str, object] = dict.fromkeys(COUNTS.split(), 0)
    values |= {"scope": ["notes"], "items": [], "duration_ms": 1234}
    values |= {"skip_reasons": {}, "skipped_by_extension": {}}
    return IngestReport.model_validate(values | fields)


FULL = report(
    scanned=1230,
    new=3,
    updated=1,
    unchanged=1200,
    moved=5,
    removed=1,
    skipped=18,
    errors=2,
    chunks_indexed=40,
    embeddings_computed=30,
    embeddings_reused=10,
    skip_reasons={"binary": 15, "empty": 3},
    skipped_by_extension={".png": 15, ".md": 3},
    items=[
        *(item("moved", f"new/{i}.md", moved_from=f"old/{i}.md") for i in range(5)),
        item("removed", "gone.md"),
        item("new", "slow.pdf", ms=3400),
        item("error", "scan.pdf", reason="no text in it (a scan): OCR would be needed"),
        item("error", "locked.pdf", reason="encrypted: a password is needed"),
    ],
)


def text(report: IngestReport, *, table: bool) -> list[str]:
    return [render(line, colours=False) for line in report_lines(report, table=table)]


def test_a_table_on_a_terminal() -> None:
    moved = ", ".join(f"old/{i}.md → new/{i}.md" for i in range(3))
    assert text(FULL, table=True) == [
        "Ingested 1230 files · 1.2 s",
        "  new            3",
        "  updated        1",
        "  unchanged  1,200",
        f"  moved          5  {moved} and 2 more",
        "  removed        1  gone.md",
        "  skipped       18  15 binary, 3 empty",
        "  failed         2  named below",
        "  40 passages indexed · 30 embedded · 10 reused",
        "  ✗ scan.pdf: no text in it (a scan): OCR would be needed",
        "  ✗ locked.pdf: encrypted: a password is needed",
        "  by suffix: 15 .png, 3 .md",
        "  slowest: slow.pdf 3.4 s",
    ]


def test_one_line_elsewhere() -> None:
    first, *_ = text(FULL, table=False)
    assert first == (
        "Ingested 1230 files: 3 new, 1 updated, 1200 unchanged, 5 moved, 1 removed, 18 skipped, "
        "2 errors · 1.2 s"
    )


def test_nothing_to_do_needs_no_table() -> None:
    assert text(report(), table=True) == ["Ingested 0 files: nothing to do · 1.2 s"]


def test_a_dry_run_and_a_stop_say_so() -> None:
    assert text(report(dry_run=True, new=1, scanned=1), table=True)[0].startswith("Would ingest")
    stopped = text(report(aborted="cancelled", new=1, scanned=1), table=True)
    assert (stopped[0], stopped[-1]) == ("Stopped 1 file · 1.2 s", "  cancelled")
