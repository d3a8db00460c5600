"""Documents that are in no file: pages of the web, texts that were piped in.

What is stored of them is all there is: they are refreshed only when they are given again, and
indexing everything again takes them from the corpus itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kebab_core.errors import InvalidInput
from kebab_core.ingest import names
from kebab_core.ingest.extract import formats
from kebab_core.ingest.found import FoundFile
from kebab_core.ingest.plan import ToRead, is_of_today
from kebab_core.store.records import DocumentState, StoredDocument
from kebab_core.types import Document, GivenText

WEB_MEDIA = "web"
SOURCES = (names.WEB_SOURCE, names.STDIN_SOURCE)
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Given:
    """`name` chooses the reader; `title` is shown, None where the text's own is."""

    source_id: str
    doc_path: str
    name: str
    title: str | None
    data: bytes

    @classmethod
    def of_text(cls, text: GivenText) -> Given:
        """Raises InvalidInput for a title that can name nothing."""
        title = " ".join(text.title.split())
        if not title or len(title) > _LONGEST_TITLE or not title.isprintable():
            raise InvalidInput(
                f"A title has 1 to {_LONGEST_TITLE} printable characters.",
                "Name the text: `kebab ingest - --title 'Minutes of May'`.",
            )
        return cls(names.STDIN_SOURCE, title, _reader_name(title), title, text.data)

    @classmethod
    def of_page(cls, address: str, title: str, text: str) -> Given:
        """The title becomes the text's first heading, so that it is embedded with it."""
        title = " ".join(title.split())
        body = text.strip()
        if title != address:
            first, _, rest = body.partition("\n")
            body = f"# {title}\n\n{(rest if first.strip() == title else body).strip()}"
        data = f"{body}\n".encode("utf-8", "replace")
        return cls(names.WEB_SOURCE, address, "page.md", title, data)

    @classmethod
    def of_stored(cls, document: Document) -> Given:
        """The same again, from what is stored of it."""
        is_page = document.source_id == names.WEB_SOURCE
        name = "page.md" if is_page else _reader_name(document.doc_path)
        data = document.text.encode("utf-8", "surrogatepass")
        return cls(document.source_id, document.doc_path, name, document.title, data)

    def settled(self, item: StoredDocument) -> StoredDocument:
        """What was made of it, without the traces of the file that it was read from."""
        is_page = self.source_id == names.WEB_SOURCE
        document = replace(item.document, file_path=None, mtime_ns=0)
        if self.title is not None:
            document = replace(document, title=self.title)
        if not is_page:
            return replace(item, document=document)
        document = replace(document, media=WEB_MEDIA, of="extracted")
        chunks = [replace(chunk, media=WEB_MEDIA, of="extracted") for chunk in item.chunks]
        return replace(item, document=document, chunks=chunks)


def to_read(
    given: Sequence[Given],
    states: Sequence[DocumentState],
    folder: Path,
    *,
    embedding_id: str | None,
    force: bool,
) -> dict[str, tuple[Given, ToRead]]:
    """Lay the texts out in `folder`, where readers find them as files; by path there."""
    stored: Mapping[tuple[str, str], DocumentState] = {
        (state.source_id, state.doc_path): state for state in states
    }
    found: dict[str, tuple[Given, ToRead]] = {}
    for i, item in enumerate(given):
        path = folder / str(i)
        path.write_bytes(item.data)
        previous = stored.get((item.source_id, item.doc_path))
        must_redo = force or previous is None or not is_of_today(previous, item.name, embedding_id)
        file = FoundFile(item.source_id, item.doc_path, str(path), len(item.data), 0)
        found[str(path)] = item, ToRead(file, previous, must_redo, item.name)
    return found


def _reader_name(title: str) -> str:
    return title if formats.reader_by_name(title) is not None else "text.md"
