"""The text that a format without lines of its own is given, and its blocks as it grows.

It is written as Markdown is: people, models and the quoting of sentences read that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, TypeAlias

from kebab_core.text.language import detect
from kebab_core.types import Block, Extraction

Kind: TypeAlias = Literal["heading", "paragraph", "list", "table", "code", "quote", "page"]

# No character at all, or none that a text needs: NUL, and lone surrogates.
_NOTHING = re.compile(r"[\x00\ufffe\uffff\ud800-\udfff]")
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_LONGEST_HEADING = 300


class Writer:
    """Blocks one after the other, a blank line between them (`tight`: only a line end).

    `cell`, `sheet` and `slide` are where what is written next stands.
    """

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.cell: str | None = None
        self.sheet: str | None = None
        self.slide: int | None = None
        self._parts: list[str] = []
        self._length = 0
        self._path: list[tuple[int, str]] = []

    @property
    def is_empty(self) -> bool:
        return not self.blocks

    def heading(self, level: int, title: str) -> None:
        """Ends what stood under headings of this level and below."""
        words = " ".join(_clean(title).split())
        if not words:
            return
        self._path = [outer for outer in self._path if outer[0] < level]
        self._path.append((level, words[:_LONGEST_HEADING]))
        self._add("heading", f"{'#' * min(6, max(1, level))} {words}")

    def block(
        self,
        kind: Kind,
        text: str,
        *,
        tight: bool = False,
        symbol: str | None = None,
        context: str | None = None,
    ) -> None:
        """Under the headings so far; nothing where there are no words."""
        words = _clean(text).strip("\n").rstrip()
        if words.strip():
            self._add(kind, words, tight=tight, symbol=symbol, context=context)

    def leave_headings(self, level: int = 1) -> None:
        """What comes next stands under none of this level and below."""
        self._path = [outer for outer in self._path if outer[0] < level]

    def _add(
        self,
        kind: Kind,
        text: str,
        *,
        tight: bool = False,
        symbol: str | None = None,
        context: str | None = None,
    ) -> None:
        if self._parts:
            gap = "\n" if tight else "\n\n"
            self._parts.append(gap)
            self._length += len(gap)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        self.blocks.append(
            Block(
                kind,
                start,
                self._length,
                tuple(title for _, title in self._path),
                symbol=symbol,
                atomic=kind in ("table", "code"),
                context=context,
                cell=self.cell,
                sheet=self.sheet,
                slide=self.slide,
            )
        )

    def extraction(
        self,
        media: str,
        version: str,
        *,
        title: str | None = None,
        is_titled_by_heading: bool = True,
        author: str | None = None,
        lang: str | None = None,
        code_lang: str | None = None,
        warnings: Sequence[str] = (),
    ) -> Extraction:
        """All that was written. Without a `title` the first heading is it, if that may be."""
        text = "".join(self._parts)
        return Extraction(
            text=text,
            media=media,
            parser_version=version,
            of="extracted",
            blocks=tuple(self.blocks),
            title=one_line(title) or (self._first_heading() if is_titled_by_heading else None),
            author=one_line(author),
            lang=lang or detect(text),
            code_lang=code_lang,
            warnings=tuple(warnings),
        )

    def _first_heading(self) -> str | None:
        return next((b.heading_path[-1] for b in self.blocks if b.kind == "heading"), None)


def one_line(text: str | None) -> str | None:
    """A title or a name, of 500 characters at the most; None where there is none."""
    return " ".join(_clean(text or "").split())[:500] or None


def row(cells: Sequence[str]) -> str:
    """A line of a table: `| a | b |`."""
    flat = (" ".join(cell.replace("|", "\\|").split()) for cell in cells)
    return f"| {' | '.join(flat)} |"


def rule(columns: int) -> str:
    """The line below a table's head."""
    return f"|{'---|' * columns}"


def fenced(code: str, language: str = "") -> str:
    """Code between fences that nothing in it can close."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{code.strip(chr(10))}\n{fence}"


def _clean(text: str) -> str:
    return _LINE_ENDS.sub("\n", _NOTHING.sub("", text))
