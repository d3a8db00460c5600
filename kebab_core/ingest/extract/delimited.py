"""CSV and TSV: the text stays as it is; each record is a block that knows its columns' names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from kebab_core.ingest.lines import Lines
from kebab_core.types import Block, Extraction

VERSION = "csv.1"

_SAMPLE = 20_000
_DELIMITERS = ",;\t|"
_LONGEST_FIELD = 1_000_000
_LONGEST_CONTEXT = 300


def extract(text: str, name: str) -> Extraction:
    """Never fails: what isn't a table is lines."""
    return Extraction(
        text=text, media="csv", parser_version=VERSION, blocks=tuple(_blocks(text, name))
    )


def _blocks(text: str, name: str) -> Iterator[Block]:
    import csv

    # One line end, so that the reader counts lines as `Lines` does.
    starts = [*Lines(text).starts, len(text)]
    lines = [text[a:b] for a, b in pairwise(starts)]
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(lines, delimiter=_delimiter(text, name))
    context: str | None = None
    at = 0
    try:
        for record in reader:
            start, end, at = starts[at], starts[reader.line_num], reader.line_num
            if not any(cell.strip() for cell in record):
                continue
            yield Block("table", start, end, atomic=True, context=context)
            if context is None and len(record) > 1:
                context = " | ".join(" ".join(cell.split()) for cell in record)[:_LONGEST_CONTEXT]
    except csv.Error:
        # A quote that never closes: the rest as lines.
        for a, b in pairwise(starts[at:]):
            yield Block("table", a, b, atomic=True, context=context)


def _delimiter(text: str, name: str) -> str:
    if name.lower().endswith((".tsv", ".tab")):
        return "\t"
    head = text[:_SAMPLE].splitlines()[:20]
    counts = {sign: [line.count(sign) for line in head if line.strip()] for sign in _DELIMITERS}
    # The sign that every line has, and most often.
    return max(_DELIMITERS, key=lambda sign: (min(counts[sign], default=0), sum(counts[sign])))
