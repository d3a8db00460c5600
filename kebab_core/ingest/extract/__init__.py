"""Files into text and structure: one module a format, chosen by content and name."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from kebab_core.ingest.extract import (
    code,
    decode,
    delimited,
    docx,
    epub,
    formats,
    html,
    json_data,
    mail,
    markdown,
    notebook,
    pdf,
    pptx,
    rst,
    sheet,
    text,
)
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.types import Extraction

__all__ = [
    "Apart",
    "Failed",
    "Skipped",
    "check_name",
    "expected_versions",
    "is_read_apart",
    "read",
    "read_here",
]


# A format is a module: of bytes, or of the text that they are decoded to.
class _OfBytes(Protocol):
    VERSION: str

    def extract(self, data: bytes, name: str, /) -> Extraction: ...


class _OfText(Protocol):
    VERSION: str

    def extract(self, text: str, name: str, /) -> Extraction: ...


_OF_BYTES: dict[str, _OfBytes] = {
    "pdf": pdf,
    "html": html,
    "docx": docx,
    "pptx": pptx,
    "sheet": sheet,
    "epub": epub,
    "notebook": notebook,
    "mail": mail,
}
_OF_TEXT: dict[str, _OfText] = {
    "markdown": markdown,
    "text": text,
    "rst": rst,
    "code": code,
    "json": json_data,
    "csv": delimited,
}
_BY_CONTENT = tuple(module.VERSION for module in (pdf, html, docx, pptx, sheet, epub))
"""Of readers that may take a file whatever it is called."""


class Apart(Exception):
    """By its content a file is to be read in a process of its own, whatever its name says."""


def check_name(name: str) -> None:
    """Raises Skipped for a file whose name says that it need not be opened."""
    suffix = formats.suffix_of(name)
    if formats.reader_by_name(name) is not None:
        return
    if suffix in formats.BINARY:
        raise Skipped("binary", "binary, not text")
    if suffix in formats.UNREAD:
        raise Skipped("unsupported", f"{formats.UNREAD[suffix]} in a format not read: .{suffix}")


def expected_versions(name: str) -> tuple[str, ...]:
    """Parser versions that a document of that name may carry and still be of today."""
    reader = formats.reader_by_name(name) or "text"
    own = _OF_BYTES[reader].VERSION if reader in _OF_BYTES else _OF_TEXT[reader].VERSION
    return (own, *_BY_CONTENT)


def is_read_apart(name: str) -> bool:
    """Whether a file of that name is for a process of its own (`process`)."""
    return formats.is_read_apart(name, formats.reader_by_name(name))


def read_here(name: str, data: bytes) -> Extraction:
    """As `read`, but raises Apart for what this process should not open."""
    if formats.is_read_apart(name, formats.reader_of(name, data)):
        raise Apart
    return read(name, data)


def read(name: str, data: bytes) -> Extraction:
    """What is in a file of that name. Raises Skipped and Failed."""
    check_name(name)
    if not data.strip():
        raise Skipped("empty", "empty")
    reader = formats.reader_of(name, data)
    if reader is not None and reader in _OF_BYTES:
        return _OF_BYTES[reader].extract(data, name)
    decoded = decode.decode(data, known_text=reader is not None)
    if not decoded.text.strip():
        raise Skipped("empty", "empty")
    extraction = _OF_TEXT[reader or "text"].extract(decoded.text, name)
    if not decoded.warnings:
        return extraction
    return replace(extraction, warnings=(*decoded.warnings, *extraction.warnings))
