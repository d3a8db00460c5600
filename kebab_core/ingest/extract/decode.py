"""Bytes to text: marks at the start, UTF-8, UTF-16 without a mark, then legacy encodings."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from kebab_core.ingest.extract import legacy
from kebab_core.ingest.extract.outcome import Skipped

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 8_000
"""Bytes looked at to tell text from the rest; git looks at as many."""
_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\v\b\x1b")) + b"\x7f"
_MANY_CONTROLS = 0.05
_FEW_BAD_BYTES = 0.01
_REPLACEMENT = "\ufffd"
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """`encoding` is a codec's name. Offsets into `text` are what all later offsets mean."""

    text: str
    encoding: str
    warnings: tuple[str, ...] = ()


def decode(data: bytes, *, known_text: bool) -> Decoded:
    """The text of `data`. `known_text`: its name says text, so a few NULs are forgiven.

    Raises Skipped for what is empty, binary, or in no encoding that can be told.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _replacing(data[len(mark) :], encoding)
    sample = data[:_SAMPLE]
    if (wide := _utf16_without_mark(sample)) is not None:
        return _replacing(data[: len(data) // 2 * 2], wide)
    nulls = sample.count(0)
    if nulls and not (known_text and nulls <= len(sample) * _FEW_BAD_BYTES):
        raise Skipped("binary", "binary, not text")
    controls = len(sample) - len(sample.translate(None, _CONTROL)) - nulls
    if controls > max(2, len(sample) * _MANY_CONTROLS):
        raise Skipped("binary", "binary, not text")
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return _mostly_utf8(data) or _legacy(data)


def _replacing(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
        return Decoded(text, encoding, (_bad_bytes(text.count(_REPLACEMENT), encoding),))


def _utf16_without_mark(sample: bytes) -> str | None:
    """Every other byte NUL, and the rest not: Latin text in UTF-16."""
    if len(sample) < 8 or not sample.count(0):
        return None
    even, odd = sample[::2], sample[1::2]
    if odd.count(0) > 0.6 * len(odd) and not even.count(0):
        return "utf-16-le"
    if even.count(0) > 0.6 * len(even) and not odd.count(0):
        return "utf-16-be"
    return None


def _mostly_utf8(data: bytes) -> Decoded | None:
    """UTF-8 with a few bytes broken, as in a log that was cut: better than another encoding."""
    text = data.decode("utf-8", "replace")
    bad = text.count(_REPLACEMENT) - data.count(_REPLACEMENT.encode())
    right = len(_BEYOND_ASCII.findall(data)) - bad
    if bad * 10 <= right and bad <= max(1, len(data) * _FEW_BAD_BYTES):
        return Decoded(text, "utf-8", (_bad_bytes(bad, "utf-8"),))
    return None


def _legacy(data: bytes) -> Decoded:
    encoding = legacy.guess(data)
    if encoding is None:
        raise Skipped("encoding", "not text in any encoding that can be told")
    return _replacing(data, encoding)


def _bad_bytes(count: int, encoding: str) -> str:
    places = "1 place is" if count == 1 else f"{count} places are"
    return f"{places} not valid {encoding}; shown as {_REPLACEMENT}"
