"""A passage in its document: which lines to show, which to mark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content
from textual.highlight import highlight

from kebab_core.api import KebabError, for_display

if TYPE_CHECKING:
    from kebab_core.api import Document, KnowledgeBase, SearchHit

_AROUND = 400
"""Lines kept before and after the passage; the editor shows the rest."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines `first`.. of a document, those from `marked_from` to `marked_to` cited.

    Line numbers are 1-based. `total` counts the document's lines. `note` says what the reader
    must know: the file changed, the document is gone, the lines are those of extracted text.
    """

    hit: SearchHit
    lines: tuple[Content, ...]
    first: int
    marked_from: int
    marked_to: int
    total: int
    note: str = ""


def load_passage(base: KnowledgeBase, hit: SearchHit) -> Passage:
    """Read the stored document around `hit`; where it is gone, show the passage as it was cited.

    It reads the store and colours the text: call it in a thread of its own.
    """
    if hit.kind == "web":
        return _alone(hit, "From the web; nothing of it is stored.")
    try:
        document = base.document(hit.doc_id)
    except KebabError:
        return _alone(hit, "The document is no longer in the corpus; this is what was cited.")
    return locate(document, hit)


def locate(document: Document, hit: SearchHit) -> Passage:
    """Where the passage stands in the stored text, also when lines have moved since."""
    lines = [for_display(line) for line in document.text.split("\n")]
    wanted = [line.strip() for line in hit.snippet_full_text.strip("\n").split("\n")]
    start = hit.citation.start or hit.citation.line_start
    end = hit.citation.end or hit.citation.line_end
    notes = []
    if start is None or end is None or not _holds(lines, start, wanted):
        # A page is cited by its number alone, and an edit may have moved the lines.
        found = _find(lines, wanted, start or _page_line(document, hit))
        if found is None:
            return _alone(hit, "The document has changed since; this is what was cited.")
        if start is not None:
            notes.append("moved since it was cited")
        start, end = found, found + len(wanted) - 1
    if document.of == "extracted":
        notes.append("lines of the extracted text")
    if _changed_on_disk(document):
        notes.append("the file has changed since it was indexed")
    first = max(1, start - _AROUND)
    last = min(len(lines), end + _AROUND)
    shown = lines[first - 1 : last]
    return Passage(
        hit,
        tuple(_coloured(shown, document)),
        first,
        start,
        min(end, last),
        len(lines),
        " · ".join(notes),
    )


def _holds(lines: list[str], start: int, wanted: list[str]) -> bool:
    """Whether the passage begins in line `start` (a chunk may begin within a line)."""
    return start <= len(lines) and bool(wanted) and wanted[0] in lines[start - 1]


def _find(lines: list[str], wanted: list[str], near: int) -> int | None:
    """The line, nearest to `near`, where the passage's lines follow each other."""
    if not wanted:
        return None
    places = [
        at + 1
        for at in range(len(lines) - len(wanted) + 1)
        if wanted[0] in lines[at]
        and all(lines[at + i].strip().startswith(wanted[i]) for i in range(1, len(wanted)))
    ]
    return min(places, key=lambda place: abs(place - near), default=None)


def _page_line(document: Document, hit: SearchHit) -> int:
    page = hit.citation.page
    if page is None or page > len(document.page_starts):
        return 1
    return document.text.count("\n", 0, document.page_starts[page - 1]) + 1


def _changed_on_disk(document: Document) -> bool:
    if document.file_path is None:
        return False
    try:
        now = Path(document.file_path).stat()
    except OSError:
        return True
    return now.st_size != document.byte_len or now.st_mtime_ns != document.mtime_ns


def _alone(hit: SearchHit, note: str) -> Passage:
    lines = for_display(hit.snippet_full_text).split("\n")
    first = hit.citation.start or hit.citation.line_start or 1
    last = first + len(lines) - 1
    return Passage(hit, tuple(Content(_flat(one)) for one in lines), first, first, last, last, note)


def _coloured(lines: list[str], document: Document) -> list[Content]:
    """Code and Markdown in colour, by Pygments; anything else plain."""
    language = document.code_lang or ("markdown" if document.media == "markdown" else None)
    flat = [_flat(line) for line in lines]
    if language is None:
        return [Content(line) for line in flat]
    coloured = highlight("\n".join(flat), language=language).split("\n", allow_blank=True)
    # Blank lines at the end are lost on the way; the numbers must stay true.
    coloured += [Content("")] * (len(flat) - len(coloured))
    same = all(one.plain == line for one, line in zip(coloured, flat, strict=False))
    return coloured if same and len(coloured) == len(flat) else [Content(line) for line in flat]


def _flat(line: str) -> str:
    """One line stays one: line and paragraph separators are shown, tabs are spaces."""
    return line.replace("\u2028", "↵").replace("\u2029", "↵").rstrip("\n").expandtabs(4)
