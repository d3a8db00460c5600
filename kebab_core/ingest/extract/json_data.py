"""JSON: each key at the top is a block; what stands in one line is written out first."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from kebab_core.ingest.extract import code
from kebab_core.ingest.extract.outcome import Skipped
from kebab_core.ingest.lines import line_spans
from kebab_core.types import Block, Extraction

VERSION = "json.1"

_KEY = re.compile(r'([ \t]*)"((?:[^"\\\n]|\\.){1,200})"\s*:')
_LONE = re.compile("[\ud800-\udfff]")
_RECORDS = (".jsonl", ".ndjson")
_RECORD_CHARACTERS = 300
"""Records are taken together up to so many: a file may have a million short ones."""
_LONG_LINES = 500
"""Characters a line on average, beyond which no person reads it so."""


def extract(text: str, name: str) -> Extraction:
    """Raises Skipped for one long line that can't be parsed."""
    if name.lower().endswith(_RECORDS):
        return _extraction(text, _records(text))
    if len(text) > _LONG_LINES * max(1, len(line_spans(text))):
        return _written_out(text, name)
    return _extraction(text, _keys(text))


def _written_out(text: str, name: str) -> Extraction:
    try:
        shown = json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    except (ValueError, RecursionError) as failure:
        if len(text) < code.SHORT:
            return _extraction(text, _keys(text))
        raise Skipped(
            "generated", "generated: one long line, and not JSON that can be parsed"
        ) from failure
    shown = _LONE.sub("\ufffd", shown)
    return _extraction(shown, _keys(shown), is_source=False)


def _extraction(text: str, blocks: Iterator[Block], *, is_source: bool = True) -> Extraction:
    return Extraction(
        text=text,
        media="code",
        parser_version=VERSION,
        of="source" if is_source else "extracted",
        blocks=tuple(blocks),
        code_lang="json",
    )


def _keys(text: str) -> Iterator[Block]:
    """From one key of the outermost indentation to the next."""
    found = [(at, key) for at, _ in line_spans(text) if (key := _KEY.match(text, at))]
    indent = min((len(key[1]) for _, key in found), default=0)
    begun, symbol = 0, None
    for at, key in found:
        if len(key[1]) == indent:
            if begun < at:
                yield Block("code", begun, at, symbol=symbol, atomic=True)
            begun, symbol = at, key[2]
    if begun < len(text):
        yield Block("code", begun, len(text), symbol=symbol, atomic=True)


def _records(text: str) -> Iterator[Block]:
    begun = 0
    for _, end in line_spans(text):
        if end - begun >= _RECORD_CHARACTERS:
            yield Block("code", begun, end, atomic=True)
            begun = end
    if begun < len(text):
        yield Block("code", begun, len(text), atomic=True)
