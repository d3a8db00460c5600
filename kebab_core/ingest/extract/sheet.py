"""Spreadsheets, by calamine: each sheet is a section, each row a line that knows its cells."""

from __future__ import annotations

import io
from typing import Any

from kebab_core.ingest.extract.libraries import needed
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.writer import Writer, row, rule
from kebab_core.ingest.extract.zipped import MAGIC, OLE_MAGIC, Zipped, properties, why_ole
from kebab_core.types import Extraction

VERSION = "sheet.1"

_MOST_ROWS = 100_000
_MOST_COLUMNS = 256
_BLOCK_CHARACTERS = 300
_LONGEST_CONTEXT = 300


def extract(data: bytes, name: str) -> Extraction:
    """Raises Failed for what is broken or protected, Skipped for sheets without a value."""
    title: str | None = None
    author: str | None = None
    if data.startswith(OLE_MAGIC):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise Failed(why_ole(data))
    elif data.startswith(MAGIC):
        title, author = properties(Zipped(data))
    else:
        raise Failed("broken: not a spreadsheet, whatever its name says")
    calamine = needed("python_calamine", "python-calamine")
    try:
        book = calamine.load_workbook(io.BytesIO(data))
        sheets = [(each, book.get_sheet_by_name(each)) for each in book.sheet_names]
    except calamine.PasswordError as failure:
        raise Failed(
            "protected by a password; remove the protection, then ingest again"
        ) from failure
    except (calamine.CalamineError, OSError, ValueError) as failure:
        raise Failed(f"broken: {failure}") from failure
    writer = Writer()
    warnings: list[str] = []
    for sheet_name, sheet in sheets:
        if not _write(writer, sheet_name, sheet):
            warnings.append(f"only the first {_MOST_ROWS:,} rows of sheet {sheet_name} were read")
    if writer.is_empty:
        raise Skipped("empty", "sheets without a value")
    return writer.extraction(
        "sheet",
        VERSION,
        title=title,
        is_titled_by_heading=False,
        author=author,
        warnings=warnings,
    )


def _write(writer: Writer, name: str, sheet: Any) -> bool:
    """Whether all of it was written."""
    left = sheet.start[1] if sheet.start else 0
    names: str | None = None
    rows = _Rows(writer)
    for number, values in enumerate(sheet.iter_rows(), 1):
        if number > _MOST_ROWS:
            rows.flush()
            return False
        cells = [_shown(value) for value in values[:_MOST_COLUMNS]]
        filled = [i for i, cell in enumerate(cells) if cell]
        if not filled:
            continue
        reach = (left + filled[0], left + filled[-1])
        if names is None:
            names = row(cells)
            writer.sheet, writer.cell = name, _range(number, number, *reach)
            writer.heading(1, name)
            writer.block("table", f"{names}\n{rule(len(cells))}")
            rows.context = names[2:-2][:_LONGEST_CONTEXT]
        else:
            rows.add(number, row(cells), *reach)
    rows.flush()
    return True


class _Rows:
    """Rows that are written as one block: a sheet may have a hundred thousand short ones."""

    def __init__(self, writer: Writer) -> None:
        self.context = ""
        self._writer = writer
        self._rows: list[str] = []
        self._top = self._bottom = 0
        self._left = self._right = 0

    def add(self, number: int, text: str, left: int, right: int) -> None:
        if not self._rows:
            self._top, self._left, self._right = number, left, right
        self._rows.append(text)
        self._bottom = number
        self._left, self._right = min(self._left, left), max(self._right, right)
        if sum(map(len, self._rows)) >= _BLOCK_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            self._writer.cell = _range(self._top, self._bottom, self._left, self._right)
            self._writer.block("table", "\n".join(self._rows), tight=True, context=self.context)
            self._rows = []


def _range(top: int, bottom: int, left: int, right: int) -> str:
    return f"{_column(left)}{top}:{_column(right)}{bottom}"


def _column(i: int) -> str:
    """A, B, … Z, AA, …"""
    letters = ""
    i += 1
    while i:
        i, rest = divmod(i - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _shown(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip()
