"""The closing table of an ingest on a terminal: a row a result, with what there is to say of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from kebab_cli.output import Tone, Toned, dim
from kebab_cli.passages import Line, one_line

if TYPE_CHECKING:
    from kebab_core.api import IngestReport

_ROWS: tuple[tuple[str, str, Tone], ...] = (
    ("new", "new", "good"),
    ("updated", "updated", "good"),
    ("unchanged", "unchanged", "dim"),
    ("moved", "moved", "mark"),
    ("removed", "removed", "warn"),
    ("skipped", "skipped", "dim"),
    ("errors", "failed", "bad"),
)
_MOST_NAMED = 3


def table_lines(report: IngestReport) -> Iterator[Line]:
    """Rows of results that there were, counts aligned."""
    notes = {
        "moved": _moves(report),
        "skipped": _counted(report.skip_reasons),
        "errors": "named below" if report.items and report.errors else "",
        "removed": _named([item.doc_path for item in report.items or () if item.kind == "removed"]),
    }
    rows = [(name, label, tone) for name, label, tone in _ROWS if getattr(report, name)]
    width = max((len(f"{getattr(report, name):,}") for name, _, _ in rows), default=0)
    for name, label, tone in rows:
        count = f"{getattr(report, name):>{width},}"
        note = notes.get(name, "")
        yield ("  ", Toned(f"{label:<10}", tone), f" {count}", dim(f"  {note}" if note else ""))


def _moves(report: IngestReport) -> str:
    moved = [item for item in report.items or () if item.kind == "moved"]
    return _named([f"{item.moved_from} → {item.doc_path}" for item in moved])


def _counted(reasons: Mapping[str, int]) -> str:
    ordered = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count:,} {one_line(reason)}" for reason, count in ordered)


def _named(names: list[str]) -> str:
    shown = ", ".join(one_line(name) for name in names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return f"{shown} and {more:,} more" if more > 0 else shown
