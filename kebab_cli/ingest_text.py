"""What an ingest did, as text: the counts, what went wrong, what was left out, what was slow."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from kebab_cli.ingest_table import table_lines
from kebab_cli.output import bad, dim, good, strong, warn
from kebab_cli.passages import Line, one_line

if TYPE_CHECKING:
    from kebab_core.api import IngestReport

_MOST_NAMED = 10
_SLOW_MS = 1000
_RESULTS = ("new", "updated", "unchanged", "moved", "removed", "skipped", "errors")


def report_lines(
    report: IngestReport, said: Collection[str] = (), *, table: bool = False
) -> Iterator[Line]:
    """The closing lines, the counts in one of them or as a table; warnings that were `said`
    while it ran aren't said again."""
    counts = [(_label(name, count), count) for name, count in _counted(report)]
    done = ", ".join(f"{count} {label}" for label, count in counts if count) or "nothing to do"
    files = f"{report.scanned} file" + ("" if report.scanned == 1 else "s")
    start = good("Would ingest") if report.dry_run else good("Ingested")
    if report.aborted:
        start = warn("Stopped")
    took = dim(f" · {report.duration_ms / 1000:.1f} s")
    if table and any(count for _, count in counts):
        yield (start, f" {files}", took)
        yield from table_lines(report)
    else:
        yield (start, f" {files}: ", strong(done), took)
    if report.aborted:
        yield ("  ", report.aborted)
    if report.chunks_indexed:
        yield (
            f"  {report.chunks_indexed} passages indexed · {report.embeddings_computed} embedded",
            f" · {report.embeddings_reused} reused",
        )
    for warning in report.warnings:
        if warning not in said:
            yield (warn("  ! "), warning)
    yield from _failures(report)
    yield from _left_out(report, with_reasons=not table)
    yield from _slow(report)


def _counted(report: IngestReport) -> Iterator[tuple[str, int]]:
    for name in _RESULTS:
        yield name, getattr(report, name)


def _label(name: str, count: int) -> str:
    return "error" if name == "errors" and count == 1 else name


def _failures(report: IngestReport) -> Iterator[Line]:
    failed = [item for item in report.items or () if item.kind == "error"]
    for item in failed[:_MOST_NAMED]:
        yield (bad("  ✗ "), one_line(item.doc_path), ": ", one_line(item.reason or "unknown"))
    if len(failed) > _MOST_NAMED:
        yield (f"    and {len(failed) - _MOST_NAMED} more; --json lists them all",)
    warned = [item for item in report.items or () if item.warnings]
    for item in warned[:_MOST_NAMED]:
        yield (warn("  ! "), one_line(item.doc_path), ": ", one_line("; ".join(item.warnings)))
    if len(warned) > _MOST_NAMED:
        yield (f"    and {len(warned) - _MOST_NAMED} more; --json lists them all",)


def _left_out(report: IngestReport, *, with_reasons: bool) -> Iterator[Line]:
    reasons = sorted(report.skip_reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    if reasons and with_reasons:
        yield (dim("  skipped: " + ", ".join(f"{count} {reason}" for reason, count in reasons)),)
    kinds = sorted(report.skipped_by_extension.items(), key=lambda pair: (-pair[1], pair[0]))
    if kinds:
        named = ", ".join(f"{count} {kind or 'without suffix'}" for kind, count in kinds[:8])
        yield (dim(f"  by suffix: {named}"),)


def _slow(report: IngestReport) -> Iterator[Line]:
    read = [item for item in report.items or () if item.ms >= _SLOW_MS]
    slowest = sorted(read, key=lambda item: -item.ms)[:3]
    if slowest:
        named = ", ".join(f"{one_line(item.doc_path)} {item.ms / 1000:.1f} s" for item in slowest)
        yield (dim(f"  slowest: {named}"),)
