"""PDF, page by page, through PDFium."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING

from kebab_core.ingest.extract.garbled import is_garbled
from kebab_core.ingest.extract.outcome import Failed
from kebab_core.text.language import detect
from kebab_core.types import Block, Extraction

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

VERSION = "pdf.2"

_PDFIUM = threading.Lock()
"""PDFium is not safe to use from two threads at once."""

_LINE_END = re.compile(r"\r\n?")
# PDFium's sign where it joined a word that was hyphenated at a line's end; and what broken fonts
# yield that is no character.
_NOTHING = re.compile(r"[\x00\x02\ufffe\uffff\ud800-\udfff]")
_JUNK_TITLE = re.compile(
    r"(?:untitled|microsoft (?:word|powerpoint|excel) - .*|.*\.\w{2,4})\Z", re.IGNORECASE
)

_LOCKED = "protected by a password; remove the protection, then ingest again"
_NO_TEXT = "no text; OCR would be needed (it holds only pictures)"
_GARBLED = (
    "the text looks garbled: its fonts don't say which letters they show; OCR would read it better"
)
_BETWEEN_PAGES = "\n\n"


def extract(data: bytes, name: str) -> Extraction:
    """The text of all pages. Raises Failed for what is protected, broken or without text."""
    with _PDFIUM:
        pages, metadata, unreadable = _read(data)
    text, page_starts = "", []
    parts: list[str] = []
    length = 0
    for page in pages:
        page_starts.append(length)
        parts += [page, _BETWEEN_PAGES]
        length += len(page) + len(_BETWEEN_PAGES)
    text = "".join(parts[:-1])
    if not text.strip():
        if unreadable:
            raise Failed(f"damaged: none of its {len(pages)} pages can be read")
        raise Failed(_NO_TEXT if pages else "it has no pages")
    blocks = tuple(
        Block("page", start, start + len(page))
        for start, page in zip(page_starts, pages, strict=True)
        if page.strip()
    )
    return Extraction(
        text=text,
        media="pdf",
        parser_version=VERSION,
        of="extracted",
        blocks=blocks,
        title=_title(metadata),
        author=_clean(metadata.get("Author", "")),
        lang=detect(text),
        page_starts=tuple(page_starts),
        warnings=tuple(_warnings(pages, unreadable)),
    )


def _read(data: bytes) -> tuple[list[str], dict[str, str], list[int]]:
    """Texts of the pages, metadata, and which pages (from 1) could not be read."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as failure:
        raise Failed(_why(failure)) from failure
    try:
        pages: list[str] = []
        unreadable: list[int] = []
        for i in range(len(document)):
            try:
                pages.append(_page(document, i))
            except pypdfium2.PdfiumError:
                pages.append("")
                unreadable.append(i + 1)
        return pages, document.get_metadata_dict(), unreadable
    finally:
        document.close()


def _page(document: PdfDocument, i: int) -> str:
    page = document[i]
    try:
        words = page.get_textpage()
        try:
            raw = words.get_text_bounded()
        finally:
            words.close()
    finally:
        page.close()
    return _NOTHING.sub("", _LINE_END.sub("\n", raw)).rstrip()


def _why(failure: Exception) -> str:
    if "assword" in str(failure):
        return _LOCKED
    if "ecurity" in str(failure):
        return "protected in a way that can't be opened"
    return "broken: not a PDF that can be opened"


def _clean(text: str) -> str | None:
    return " ".join(_NOTHING.sub("", text).split())[:500] or None


def _title(metadata: dict[str, str]) -> str | None:
    title = _clean(metadata.get("Title", ""))
    return None if title is None or _JUNK_TITLE.match(title) else title


def _warnings(pages: list[str], unreadable: list[int]) -> list[str]:
    warnings = []
    if unreadable:
        warnings.append(f"{_counted(unreadable, len(pages))} could not be read")
    if is_garbled("\n".join(pages)):
        warnings.append(_GARBLED)
    blank = [i for i, page in enumerate(pages, 1) if not page.strip() and i not in unreadable]
    if blank:
        warnings.append(
            f"{_counted(blank, len(pages))} without text; OCR would be needed for pictures of text"
        )
    return warnings


def _counted(numbers: list[int], total: int) -> str:
    shown = ", ".join(map(str, numbers[:10])) + (", …" if len(numbers) > 10 else "")
    return f"{len(numbers)} of {total} pages ({shown})"
