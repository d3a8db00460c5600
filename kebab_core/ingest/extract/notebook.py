"""Jupyter notebooks: the cells' own text, in order, and what they printed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kebab_core.ingest.extract import decode, markdown
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.writer import Writer, fenced
from kebab_core.types import Extraction

VERSION = "notebook.1"

_MOST_OUTPUT = 4_000
"""Characters kept of what one cell printed: logs of training aren't what people look for."""


def extract(data: bytes, name: str) -> Extraction:
    """Raises Failed for what is no notebook, Skipped for one without words."""
    text = decode.decode(data, known_text=True).text
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as failure:
        raise Failed(f"broken: not a notebook ({str(failure)[:100]})") from failure
    cells = _cells(notebook)
    if cells is None:
        raise Failed("broken: a notebook without cells")
    language = _language(notebook)
    writer = Writer()
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict):
            writer.cell = str(number)
            _write(writer, cell, language)
    if writer.is_empty:
        raise Skipped("empty", "a notebook without words")
    return writer.extraction("notebook", VERSION, code_lang=language)


def _cells(notebook: object) -> list[Any] | None:
    if not isinstance(notebook, dict):
        return None
    if isinstance(notebook.get("cells"), list):
        return list(notebook["cells"])
    # Before version 4 there were sheets of cells.
    sheets = notebook.get("worksheets")
    if not isinstance(sheets, list):
        return None
    return [
        cell for sheet in sheets if isinstance(sheet, dict) for cell in sheet.get("cells") or ()
    ]


def _write(writer: Writer, cell: Mapping[str, Any], language: str) -> None:
    source = _joined(cell.get("source", cell.get("input")))
    kind = cell.get("cell_type")
    if kind == "code":
        writer.block("code", fenced(source, language) if source.strip() else "")
        printed = "\n".join(_printed(cell.get("outputs")))[:_MOST_OUTPUT]
        writer.block("code", fenced(printed, "output") if printed.strip() else "")
    elif kind == "heading":
        level = cell.get("level")
        writer.heading(level if isinstance(level, int) else 1, source)
    elif kind == "markdown":
        _write_markdown(writer, source)
    else:
        writer.block("paragraph", source)


def _write_markdown(writer: Writer, source: str) -> None:
    for block in markdown.blocks_of(source):
        words = source[block.start : block.end]
        if block.kind == "heading":
            level = len(words) - len(words.lstrip().lstrip("#"))
            writer.heading(level if words.lstrip().startswith("#") else 1, block.heading_path[-1])
        else:
            writer.block(block.kind, words)


def _printed(outputs: object) -> list[str]:
    """Text only: pictures and pages are for the eye."""
    found = []
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        data = output.get("data")
        plain = data.get("text/plain") if isinstance(data, dict) else None
        found.append(_joined(output.get("text", plain)))
        if output.get("output_type") in ("error", "pyerr"):
            found.append(f"{output.get('ename')}: {output.get('evalue')}")
    return [text.rstrip() for text in found if text.strip()]


def _joined(source: object) -> str:
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


def _language(notebook: Mapping[str, Any]) -> str:
    metadata = notebook.get("metadata")
    for key in ("language_info", "kernelspec"):
        about = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(about, dict):
            named = about.get("name" if key == "language_info" else "language")
            if isinstance(named, str) and named.isascii() and named.isalnum():
                return named.lower()
    return "python"
