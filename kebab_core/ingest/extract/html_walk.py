"""A tree of HTML, walked without recursion (a page may be nested as deep as it likes)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kebab_core.ingest.extract.writer import Kind, Writer, fenced, row, rule

if TYPE_CHECKING:
    from lxml.etree import _Element


def _tags(names: str) -> frozenset[str]:
    return frozenset(names.split())


_DROPPED = _tags(
    "script style noscript template svg math nav footer form button select input textarea iframe "
    "object embed canvas audio video dialog head menu"
)
_NOT_CONTENT = frozenset(["navigation", "banner", "contentinfo", "search", "menu", "toolbar"])
_BLOCKS = _tags(
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption "
    "figure header hr html li main ol p section summary ul"
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SPACE = re.compile(r"[ \t\r\n\f]+")
# What generators set after a heading to link to it.
_ANCHORS = frozenset(["¶", "#", "§", "🔗"])
_LANGUAGE = re.compile(r"(?:language|lang|highlight|brush:?)-?\s*(\w+)")


def walk(root: _Element, writer: Writer) -> None:
    """Write what people read of `root`."""
    _Walk(writer).run(root)


class _Walk:
    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._words: list[str] = []
        self._lists: list[int | None] = []
        """Of each list that is open, the next number; None where it has none."""
        self._items: list[str] = []
        self._marker = ""
        self._quotes = 0
        self._table = _Table()
        self._pre: _Element | None = None
        self._skipped: _Element | None = None

    def run(self, root: _Element) -> None:
        from lxml import etree

        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                if self._skipped is None:
                    self._open(element, is_root=element is root)
            else:
                if self._skipped is None:
                    self._close(element)
                elif self._skipped is element:
                    self._skipped = None
                if self._skipped is None and element is not root and element.tail:
                    self._say(element.tail)
        self._flush()
        self._end_list()

    # --- tags ---------------------------------------------------------------------------------

    def _open(self, element: _Element, *, is_root: bool) -> None:
        tag = element.tag if isinstance(element.tag, str) else ""
        if not tag or (not is_root and _is_dropped(element, tag)):
            self._skipped = element
            return
        if self._table.depth:
            self._table.open(tag)
        elif tag == "table":
            self._flush()
            self._table.open(tag)
        elif tag == "pre":
            self._flush()
            self._pre = element
        elif tag in _HEADINGS:
            self._flush()
            self._end_list()
        elif tag in _BLOCKS:
            self._flush()
            self._open_block(element, tag)
        elif tag == "br":
            self._words.append("\n")
        elif tag == "img" and (shown := element.get("alt")):
            self._say(f" {shown} ")
        if element.text:
            self._say(element.text)

    def _open_block(self, element: _Element, tag: str) -> None:
        if tag in ("ul", "ol"):
            start = element.get("start") or "1"
            first = int(start) if start.isdecimal() and len(start) < 9 else 1
            self._lists.append(first if tag == "ol" else None)
        elif tag == "li":
            number = self._lists[-1] if self._lists else None
            self._marker = "- " if number is None else f"{number}. "
            if number is not None:
                self._lists[-1] = number + 1
        elif tag == "blockquote":
            self._quotes += 1

    def _close(self, element: _Element) -> None:
        tag = str(element.tag)
        if self._pre is not None:
            if self._pre is element:
                self._end_pre(element)
        elif self._table.depth:
            if self._table.close(tag) and not self._table.depth:
                self._end_table()
        elif tag in _HEADINGS:
            self._writer.heading(_HEADINGS[tag], " ".join(self._taken().split()))
        elif tag in _BLOCKS:
            self._flush()
            if tag in ("ul", "ol") and self._lists:
                self._lists.pop()
                if not self._lists:
                    self._end_list()
            elif tag == "blockquote":
                self._quotes = max(0, self._quotes - 1)

    # --- words --------------------------------------------------------------------------------

    def _say(self, text: str) -> None:
        if self._pre is not None:
            self._words.append(text)
        elif self._table.depth:
            self._table.say(text)
        else:
            self._words.append(_SPACE.sub(" ", text))

    def _taken(self) -> str:
        lines = [" ".join(line.split()) for line in "".join(self._words).split("\n")]
        self._words = []
        return "\n".join(line for line in lines if line)

    def _flush(self) -> None:
        text = self._taken() if self._pre is None else ""
        if not text:
            return
        if self._lists:
            indent = "  " * (len(self._lists) - 1)
            hanging = indent + "  "
            first = f"{indent}{self._marker}" if self._marker else hanging
            self._items.append(first + text.replace("\n", f"\n{hanging}"))
            self._marker = ""
            return
        kind: Kind = "paragraph"
        if self._quotes:
            kind, text = "quote", "> " + text.replace("\n", "\n> ")
        self._writer.block(kind, text)

    def _end_list(self) -> None:
        if self._items:
            self._writer.block("list", "\n".join(self._items))
            self._items = []

    def _end_pre(self, element: _Element) -> None:
        code = "".join(self._words)
        self._words, self._pre = [], None
        if code.strip():
            self._end_list()
            self._writer.block("code", fenced(code, _code_language(element)))

    def _end_table(self) -> None:
        self._end_list()
        self._table.write(self._writer)
        self._table = _Table()


class _Table:
    """The outermost table that is open; a table within a cell gives its words to that cell."""

    def __init__(self) -> None:
        self.depth = 0
        self._rows: list[list[list[str]]] = []
        self._caption: list[str] = []
        self._in_caption = False

    def open(self, tag: str) -> None:
        if tag == "table":
            self.depth += 1
        elif tag == "tr" and self.depth == 1:
            self._rows.append([])
        elif tag in ("td", "th") and self.depth == 1:
            self._in_caption = False
            if not self._rows:
                self._rows.append([])
            self._rows[-1].append([])
        elif tag == "caption":
            self._in_caption = True
        else:
            self.say(" ")

    def close(self, tag: str) -> bool:
        """Whether it was a table that ended."""
        if tag == "caption":
            self._in_caption = False
        if tag == "table":
            self.depth -= 1
            return True
        self.say(" " if tag in _BLOCKS else "")
        return False

    def say(self, text: str) -> None:
        if self._in_caption:
            self._caption.append(text)
        elif self._rows and self._rows[-1]:
            self._rows[-1][-1].append(text)

    def write(self, writer: Writer) -> None:
        rows = [["".join(cell) for cell in cells] for cells in self._rows]
        rows = [cells for cells in rows if any(cell.strip() for cell in cells)]
        writer.block("paragraph", " ".join("".join(self._caption).split()))
        write_table(writer, rows)


def write_table(writer: Writer, rows: list[list[str]]) -> None:
    """A block a row, so that what is too long is cut between rows and each says its columns."""
    if max((len(cells) for cells in rows), default=0) < 2:
        # One column is no table: it is how a page was laid out.
        for cells in rows:
            writer.block("paragraph", " ".join(" ".join(cells).split()))
        return
    head, *rest = rows
    width = max(map(len, rows))
    padded = [cells + [""] * (width - len(cells)) for cells in (head, *rest)]
    names = row(padded[0])
    writer.block("table", f"{names}\n{rule(width)}")
    for cells in padded[1:]:
        writer.block("table", row(cells), tight=True, context=names[2:-2][:300])


def _is_dropped(element: _Element, tag: str) -> bool:
    if tag in _DROPPED:
        return True
    if "hidden" in element.attrib or element.get("aria-hidden") == "true":
        return True
    if element.get("role") in _NOT_CONTENT:
        return True
    return tag == "a" and "".join(element.itertext()).strip() in _ANCHORS


def _code_language(element: _Element) -> str:
    """`language-python` on the element, on the `<code>` in it, or around it."""
    inner, around = element.find("code"), element.getparent()
    for each in (element, inner, around, around.getparent() if around is not None else None):
        if each is not None and (found := _LANGUAGE.search(each.get("class") or "")):
            return found[1]
    return ""
