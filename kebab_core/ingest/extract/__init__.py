"""Files into text and structure: one module a format, chosen by content and name."""

from __future__ import annotations

from kebab_core.ingest.extract import code, decode, formats, markdown, pdf, text
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

_VERSIONS: dict[formats.Reader, str] = {
    "markdown": markdown.VERSION,
    "text": text.VERSION,
    "code": code.VERSION,
    "pdf": pdf.VERSION,
}
# A PDF is known by its first bytes, whatever it is called.
_EXPECTED = {reader: (version, pdf.VERSION) for reader, version in _VERSIONS.items()}
_READ = formats.MARKDOWN | formats.TEXT | formats.CODE.keys()
_PDF_MAGIC = b"%PDF-"


class Apart(Exception):
    """By its content a file is to be read in a process of its own, whatever its name says."""


def check_name(name: str) -> None:
    """Raises Skipped for a file whose name says that it need not be opened."""
    suffix = formats.suffix_of(name)
    if suffix in _READ:
        return
    if suffix in formats.BINARY:
        raise Skipped("binary", "binary, not text")
    if suffix in formats.UNREAD:
        raise Skipped("unsupported", f"{formats.UNREAD[suffix]} in a format not read: .{suffix}")


def expected_versions(name: str) -> tuple[str, ...]:
    """Parser versions that a document of that name may carry and still be of today."""
    return _EXPECTED[formats.reader_by_name(name) or "text"]


def is_read_apart(name: str) -> bool:
    """Whether a file of that name is for a process of its own (`process`)."""
    return formats.reader_by_name(name) in formats.APART


def read_here(name: str, data: bytes) -> Extraction:
    """As `read`, but raises Apart for what this process should not open."""
    if _reader(name, data) in formats.APART:
        raise Apart
    return read(name, data)


def read(name: str, data: bytes) -> Extraction:
    """What is in a file of that name. Raises Skipped and Failed."""
    check_name(name)
    if not data.strip():
        raise Skipped("empty", "empty")
    reader = _reader(name, data)
    if reader == "pdf":
        return pdf.extract(data, name)
    decoded = decode.decode(data, known_text=reader is not None)
    if not decoded.text.strip():
        raise Skipped("empty", "empty")
    if reader == "markdown":
        extraction = markdown.extract(decoded.text, name)
    elif reader == "code":
        extraction = code.extract(decoded.text, name)
    else:
        extraction = text.extract(decoded.text, name)
    if not decoded.warnings:
        return extraction
    from dataclasses import replace

    return replace(extraction, warnings=(*decoded.warnings, *extraction.warnings))


def _reader(name: str, data: bytes) -> formats.Reader | None:
    return "pdf" if data.startswith(_PDF_MAGIC) else formats.reader_by_name(name)
