"""HTML: the words of its main part, by lxml, as headings, paragraphs, lists, tables and code."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING

from kebab_core.ingest.extract import decode
from kebab_core.ingest.extract.html_walk import walk
from kebab_core.ingest.extract.outcome import Failed, Skipped
from kebab_core.ingest.extract.writer import Writer
from kebab_core.types import Extraction

if TYPE_CHECKING:
    from lxml.etree import _Element

VERSION = "html.1"

_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})|<\?xml[^>]{0,99}?encoding=["']([\w.-]{1,40})""",
    re.IGNORECASE,
)
_READ_AS = {
    "iso-8859-1": "cp1252", "latin-1": "cp1252", "latin1": "cp1252", "ascii": "cp1252",
    "us-ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "gb_2312-80": "gb18030",
    "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "euc_kr": "cp949", "shift_jis": "cp932",
    "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "iso-8859-9": "cp1254",
}  # fmt: skip
"""Names that pages give, and what browsers read them as."""

_LIMIT = "ERR_RESOURCE_LIMIT"
"""The library's word for what stops it: nothing of the page after that is read."""

_MAIN_SHARE = 0.3
"""Of a page's words that its `<main>` or `<article>` must hold to be taken for all of it."""


def extract(data: bytes, name: str) -> Extraction:
    """Raises Skipped for a page without words, Failed where it can't be parsed."""
    text, warnings = decoded(data)
    root = parsed(text)
    writer = Writer()
    walk(main_part(root), writer)
    if writer.is_empty:
        raise Skipped("empty", "a page without words")
    return writer.extraction(
        "html",
        VERSION,
        title=_title(root),
        author=_meta(root, "author"),
        lang=_language(root),
        warnings=warnings,
    )


def decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    """As the page itself says, where it can be read so; with warnings."""
    said = _CHARSET.search(data[:4096])
    marked = data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if said and not marked:
        named = (said[1] or said[2]).decode("ascii", "replace").lower()
        try:
            return data.decode(_READ_AS.get(named, named)), ()
        except (UnicodeDecodeError, LookupError):
            pass  # it says what isn't so: guessed, as without a word
    guessed = decode.decode(data, known_text=True)
    return guessed.text, guessed.warnings


def parsed(text: str) -> _Element:
    """The tree of a page. Never follows what it refers to."""
    from lxml import etree

    # As bytes: lxml refuses a text that says what encoding it had.
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError as failure:
        raise Failed(f"broken: {failure.msg or 'no HTML'}") from failure
    if any(error.type_name == _LIMIT for error in parser.error_log):
        raise Failed("nested too deeply: thousands of elements within each other")
    if root is None:
        raise Skipped("empty", "a page without words")
    return root


def main_part(root: _Element) -> _Element:
    """`<main>`, or the one `<article>`, where it holds a good part of the words; else the body."""
    body = root.find("body")
    whole = root if body is None else body
    words = _size(whole)
    for path in (".//main", ".//*[@role='main']", ".//article"):
        found = whole.findall(path)
        if len(found) == 1 and _size(found[0]) >= words * _MAIN_SHARE:
            return found[0]
    return whole


def _size(element: _Element) -> int:
    skipped = ("script", "style", "template", "noscript")
    return sum(
        len((part.text or "").strip() if part.tag not in skipped else "")
        + len((part.tail or "").strip())
        for part in element.iter()
    )


def _title(root: _Element) -> str | None:
    title = root.find(".//title")
    return None if title is None else title.text


def _meta(root: _Element, name: str) -> str | None:
    found = root.find(f".//meta[@name='{name}']")
    return None if found is None else found.get("content")


def _language(root: _Element) -> str | None:
    found = re.match(r"[A-Za-z]{2,3}(?![A-Za-z])", root.get("lang") or "")
    return found.group().lower() if found else None
