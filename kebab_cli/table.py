"""Rows: aligned columns on a terminal, tab-separated values elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from kebab_cli.columns import cells, clip
from kebab_cli.output import Output
from kebab_cli.passages import one_line
from kebab_core.api import for_display

_LEAST = 8
"""Columns that the last cell keeps, however narrow the terminal."""


def print_table(
    output: Output,
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    cut_last: bool = False,
) -> None:
    """Print `rows`; names of the columns only where a person looks.

    Where a terminal is too narrow, cells are cut; with `cut_last` those of the last column alone.
    """
    shown = [[one_line(for_display(str(cell))) for cell in row] for row in rows]
    if not output.stdout.is_terminal:
        for row in shown:
            output.line("\t".join(row))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_edge=False, header_style="dim")
    for name in columns:
        table.add_column(name, no_wrap=True, overflow="ellipsis")
    if cut_last:
        # What the library would shrink is every column.
        taken = sum(2 + max(map(cells, column)) for column in zip(columns, *shown, strict=True))
        taken -= 2 + max(cells(row[-1]) for row in [columns, *shown])
        room = max(_LEAST, output.width - taken)
        shown = [[*row[:-1], clip(row[-1], room)] for row in shown]
    for row in shown:
        table.add_row(*(Text(cell) for cell in row))
    console = Console(
        file=output.file(output.stdout),
        width=output.width,
        force_terminal=True,
        no_color=not output.colours(output.stdout),
    )
    console.print(table)


def moment(when: datetime | None) -> str:
    """Local time to the minute; an empty string for never."""
    return when.astimezone().strftime("%Y-%m-%d %H:%M") if when is not None else ""


def ago(when: datetime, now: datetime | None = None) -> str:
    """`just now`, `5 min ago`, `3 h ago`, `12 days ago`."""
    seconds = ((now or datetime.now(UTC)) - when).total_seconds()
    if seconds < 60:
        return "just now"
    if seconds < 3600:
        return f"{int(seconds // 60)} min ago"
    if seconds < 2 * 86400:
        return f"{int(seconds // 3600)} h ago"
    return f"{int(seconds // 86400)} days ago"
