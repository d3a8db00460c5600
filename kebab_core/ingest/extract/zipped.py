"""Formats that are a zip of parts: Office files and e-books, opened with their size looked at."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING

from kebab_core.ingest.extract.outcome import Failed

if TYPE_CHECKING:
    from lxml.etree import _Element

MAGIC = b"PK\x03\x04"
OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""Of Office files before 2007, and of later ones that a password protects."""

_MOST_BYTES = 300_000_000
"""Of all parts unpacked. A book of a thousand pages without its pictures has some five million."""
_MOST_PARTS = 20_000
_LARGEST_XML = 50_000_000
_ENCRYPTED = 0x1


class Zipped:
    """The parts of one file. Raises Failed for what is broken, protected, or a bomb."""

    def __init__(self, data: bytes) -> None:
        if data.startswith(OLE_MAGIC):
            raise Failed(why_ole(data))
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as failure:
            raise Failed("broken: not a file that its name says, or one that was cut") from failure
        parts = self._archive.infolist()
        total = sum(part.file_size for part in parts)
        if total > _MOST_BYTES or len(parts) > _MOST_PARTS:
            raise Failed(
                f"unpacks to {total:,} bytes in {len(parts):,} parts, more than any real one"
            )
        self.names = frozenset(part.filename for part in parts)

    def read(self, name: str) -> bytes | None:
        """None where there is no such part."""
        try:
            part = self._archive.getinfo(name)
            if part.flag_bits & _ENCRYPTED:
                raise Failed("protected by a password; remove the protection, then ingest again")
            if part.file_size > _LARGEST_XML:
                raise Failed(
                    f"its part {name} has {part.file_size:,} bytes, more than any real one"
                )
            return self._archive.read(part)
        except KeyError:
            return None
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as failure:
            raise Failed(f"broken: its part {name} can't be unpacked") from failure

    def xml(self, name: str) -> _Element | None:
        """A part's tree; None where there is no such part."""
        data = self.read(name)
        return None if data is None else parsed(data, name)


def parsed(data: bytes, what: str) -> _Element:
    """Well-formed XML, without following or expanding what it declares."""
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True
    )
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError as failure:
        raise Failed(f"broken: {what} can't be read ({failure.msg})") from failure


def text_of(element: _Element | None) -> str | None:
    """All words in it, or None."""
    if element is None:
        return None
    return "".join(str(words) for words in element.itertext()) or None


def why_ole(data: bytes) -> str:
    """Why a compound file isn't read where a zip was expected."""
    if "EncryptedPackage".encode("utf-16-le") in data:
        return "protected by a password; remove the protection, then ingest again"
    return "in the Office format from before 2007; save it in a newer one, then ingest again"


def properties(zipped: Zipped) -> tuple[str | None, str | None]:
    """Title and author, as Office files keep them."""
    core = zipped.xml("docProps/core.xml")
    if core is None:
        return None, None
    dublin = "{http://purl.org/dc/elements/1.1/}"
    return text_of(core.find(f"{dublin}title")), text_of(core.find(f"{dublin}creator"))
