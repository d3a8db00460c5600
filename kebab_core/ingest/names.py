"""Names that the disk gives, as text that can be stored; and names for sources."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable

FILES_SOURCE = "files"
"""The source of single files outside every root."""
WEB_SOURCE = "web"
"""The source of pages: a document's path is its address."""
STDIN_SOURCE = "stdin"
"""The source of texts that were piped in: a document's path is its title."""
RESERVED = frozenset({FILES_SOURCE, WEB_SOURCE, STDIN_SOURCE})
"""Sources without a folder of their own."""

_ESCAPE = re.compile(r"%(25|[89A-F][0-9A-F])")
_BAD_BYTE = re.compile(r"[\udc80-\udcff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_NOT_IN_ID = re.compile(r"[^\w.-]+")


def to_text(path: str) -> str:
    """`path` (of the file system, `/` between its parts) with bytes that aren't UTF-8 as `%XX`.

    Its Unicode form stays as on disk. No two paths give one text: in a part that has such bytes,
    or that would read as if it had, the percent signs are encoded too. `to_path` is the way back.
    """
    if path.isascii() and "%" not in path:
        return path
    return "/".join(map(_part_to_text, path.split("/")))


def to_path(text: str) -> str:
    """The file system's own name for what `to_text` made."""
    if "%" not in text or not _ESCAPE.search(text):
        return text
    raw = text.encode("utf-8")
    escape = re.compile(_ESCAPE.pattern.encode())
    return os.fsdecode(escape.sub(lambda match: bytes([int(match[1], 16)]), raw))


def _part_to_text(part: str) -> str:
    if not _SURROGATE.search(part) and not _ESCAPE.search(part):
        return part
    text = os.fsencode(part).replace(b"%", b"%25").decode("utf-8", "surrogateescape")
    return _BAD_BYTE.sub(lambda match: f"%{ord(match.group()) - 0xDC00:02X}", text)


def source_id(folder: str, taken: Iterable[str]) -> str:
    """An id made of a folder's name, unlike (also by case) all those `taken`."""
    used = {name.casefold() for name in taken} | RESERVED
    # A person types it: one Unicode form, no spaces, nothing that a shell would expand.
    plain = unicodedata.normalize("NFC", to_text(folder))
    stem = _NOT_IN_ID.sub("-", plain).strip("-.")[:60].rstrip("-.") or "root"
    name, n = stem, 2
    while name.casefold() in used:
        name, n = f"{stem}-{n}", n + 1
    return name
