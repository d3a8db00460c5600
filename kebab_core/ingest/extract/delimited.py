"""CSV and TSV: the text stays as it is; its blocks are records that know their columns' names."""

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
_BLOCK_CHARACTERS = 300
"""Records are taken together up to so many: a file may have a million short ones."""


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
    begun = at = 0
    try:
        for record in reader:
            at = starts[reader.line_num]
            is_head = context is None and len(record) > 1 and any(map(str.strip, record))
            if is_head or at - begun >= _BLOCK_CHARACTERS:
                yield Block("table", begun, at, atomic=True, context=context)
                begun = at
            if is_head:
                context = " | ".join(" ".join(cell.split()) for cell in record)[:_LONGEST_CONTEXT]
    except csv.Error:
        at = len(text)  # a quote that never closes: the rest is one block, cut at its lines
    if begun < at:
        yield Block("table", begun, at, atomic=True, context=context)


def _delimiter(text: str, name: str) -> str:
    if name.lower().endswith((".tsv", ".tab")):
        return "\t"
    head = text[:_SAMPLE].splitlines()[:20]
    counts = {sign: [line.count(sign) for line in head if line.strip()] for sign in _DELIMITERS}
    # The sign that every line has, and most often.
    return max(_DELIMITERS, key=lambda sign: (min(counts[sign], default=0), sum(counts[sign])))
