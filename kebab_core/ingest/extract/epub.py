"""E-books: the chapters in the order that the book gives, each read as HTML."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from kebab_core.ingest.extract import html
from kebab_core.ingest.extract.html_walk import walk
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.writer import Writer
from kebab_core.ingest.extract.zipped import Zipped, text_of
from kebab_core.types import Extraction

VERSION = "epub.1"

CONTAINER = "META-INF/container.xml"
_OPF = "{http://www.idpf.org/2007/opf}"
_DUBLIN = "{http://purl.org/dc/elements/1.1/}"
_MOST_CHARACTERS = 30_000_000
_FONTS_ONLY = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def extract(data: bytes, name: str) -> Extraction:
    """Raises Failed for what is broken or locked, Skipped for a book without words."""
    zipped = Zipped(data)
    container = zipped.xml(CONTAINER)
    rootfile = None if container is None else container.find(".//{*}rootfile")
    where = None if rootfile is None else rootfile.get("full-path")
    package = zipped.xml(where) if where else None
    if where is None or package is None:
        raise Failed("broken: an e-book without its table of parts")
    if _is_locked(zipped):
        raise Failed("protected (DRM): it can only be read by the shop's own program")
    parts = {
        item.get("id"): item.get("href")
        for item in package.iterfind(f".//{_OPF}item")
        if "html" in (item.get("media-type") or "")
    }
    writer = Writer()
    missing = 0
    characters = 0
    for reference in package.iterfind(f".//{_OPF}itemref"):
        href = parts.get(reference.get("idref"))
        if not href:
            continue
        path = posixpath.normpath(posixpath.join(posixpath.dirname(where), unquote(href)))
        chapter = zipped.read(path)
        if chapter is None:
            missing += 1
            continue
        characters += len(chapter)
        if characters > _MOST_CHARACTERS:
            raise Failed(f"its chapters have more than {_MOST_CHARACTERS:,} bytes")
        _write(writer, chapter)
    if writer.is_empty:
        raise Skipped("empty", "a book without words")
    return writer.extraction(
        "epub",
        VERSION,
        title=text_of(package.find(f".//{_DUBLIN}title")),
        author=text_of(package.find(f".//{_DUBLIN}creator")),
        lang=(text_of(package.find(f".//{_DUBLIN}language")) or "").strip()[:2].lower() or None,
        warnings=[f"{missing} of its chapters are missing"] if missing else [],
    )


def _write(writer: Writer, chapter: bytes) -> None:
    if not chapter.strip():
        return
    writer.leave_headings()
    text, _ = html.decoded(chapter)
    walk(html.main_part(html.parsed(text)), writer)


def _is_locked(zipped: Zipped) -> bool:
    encryption = zipped.xml("META-INF/encryption.xml")
    if encryption is None:
        return False
    methods = [
        found.get("Algorithm")
        for found in encryption.iterfind(".//{http://www.w3.org/2001/04/xmlenc#}EncryptionMethod")
    ]
    return any(method not in _FONTS_ONLY for method in methods)
