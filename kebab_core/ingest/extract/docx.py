"""Word documents: mammoth makes HTML of them, which keeps headings, lists, tables and notes."""

from __future__ import annotations

import io

from kebab_core.ingest.extract import html
from kebab_core.ingest.extract.html_walk import walk
from kebab_core.ingest.extract.libraries import needed
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.writer import Writer
from kebab_core.ingest.extract.zipped import Zipped, parsed, properties
from kebab_core.types import Extraction

VERSION = "docx.1"

MAIN = "word/document.xml"
# What Word's built-in styles mean beside those that mammoth knows.
_STYLES = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => p:fresh"


def extract(data: bytes, name: str) -> Extraction:
    """Raises Failed for what is broken or protected, Skipped for one without words."""
    zipped = Zipped(data)
    main = zipped.read(MAIN)
    if main is None:
        raise Failed("broken: a Word document without its main part")
    parsed(main, MAIN)  # mammoth's own parser would expand entities
    title, author = properties(zipped)
    mammoth = needed("mammoth", "mammoth")
    made = mammoth.convert_to_html(
        io.BytesIO(data),
        style_map=_STYLES,
        # Pictures would be written out, letter by letter.
        convert_image=mammoth.images.img_element(lambda image: {"src": ""}),
        external_file_access=False,
    )
    writer = Writer()
    if made.value:
        walk(html.parsed(f"<html><body>{made.value}</body></html>"), writer)
    if writer.is_empty:
        raise Skipped("empty", "a document without words")
    return writer.extraction("docx", VERSION, title=title, author=author)
