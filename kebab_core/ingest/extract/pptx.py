"""Slides, by python-pptx: each is a section with its title, its texts, tables and notes."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from kebab_core.ingest.extract.html_walk import write_table
from kebab_core.ingest.extract.libraries import needed
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.writer import Writer
from kebab_core.ingest.extract.zipped import Zipped, properties
from kebab_core.types import Extraction

VERSION = "pptx.1"

MAIN = "ppt/presentation.xml"
_UNTITLED = "PowerPoint Presentation"
_DEEPEST = 20
"""Groups within groups of shapes."""


def extract(data: bytes, name: str) -> Extraction:
    """Raises Failed for what is broken or protected, Skipped for slides without words."""
    zipped = Zipped(data)
    if MAIN not in zipped.names:
        raise Failed("broken: slides without their main part")
    title, author = properties(zipped)
    pptx = needed("pptx", "python-pptx")
    writer = Writer()
    pictures = 0
    for number, slide in enumerate(pptx.Presentation(io.BytesIO(data)).slides, 1):
        if not _write(writer, number, slide):
            pictures += 1
    if writer.is_empty:
        raise Skipped("empty", "slides without words")
    warnings = [f"{pictures} slides without words"] if pictures else []
    if title == _UNTITLED:
        title = None
    return writer.extraction("pptx", VERSION, title=title, author=author, warnings=warnings)


def _write(writer: Writer, number: int, slide: Any) -> bool:
    """Whether the slide has words."""
    title = slide.shapes.title
    named = title.text_frame.text if title is not None and title.has_text_frame else ""
    body: list[str | list[list[str]]] = []
    for shape in _shapes(slide.shapes, 0):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if getattr(shape, "has_table", False):
            body.append([[cell.text for cell in row.cells] for row in shape.table.rows])
        elif shape.has_text_frame:
            body.append(_paragraphs(shape.text_frame))
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if notes is not None and notes.text.strip():
        body.append(f"Notes: {notes.text}")
    if not named.strip() and not any(body):
        return False
    writer.slide = number
    writer.heading(1, named if named.strip() else f"Slide {number}")
    for part in body:
        if isinstance(part, str):
            writer.block("paragraph", part)
        else:
            write_table(writer, part)
    return True


def _shapes(shapes: Any, depth: int) -> Iterator[Any]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            if depth < _DEEPEST:
                yield from _shapes(shape.shapes, depth + 1)
        else:
            yield shape


def _paragraphs(frame: Any) -> str:
    """Points as a list where there is more than one."""
    lines = [
        ("  " * paragraph.level, " ".join(paragraph.text.split()))
        for paragraph in frame.paragraphs
        if paragraph.text.strip()
    ]
    if len(lines) < 2:
        return "".join(text for _, text in lines)
    return "\n".join(f"{indent}- {text}" for indent, text in lines)
