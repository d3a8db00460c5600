"""Tools over the person's own documents."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence

from kebab_core.ask.passages import Passages
from kebab_core.ask.prompts.messages import one_line
from kebab_core.ask.toolbox.giving import NO_ROOM, Giving
from kebab_core.ask.toolbox.limits import Limits
from kebab_core.ask.toolbox.stored import Corpus
from kebab_core.ask.toolbox.tool import RefusedError, Tool
from kebab_core.ask.tools import Situation, ToolResult
from kebab_core.types import AskOptions, Document, Hit, SearchOptions

NOTHING = "(no passages)"
MAX_LISTED = 60
MAX_OPENED = 8
"""Passages of one opening."""
_LINES = re.compile(r"\A[lL]?(\d{1,9})(?:\s*[-–:,]\s*[lL]?(\d{1,9}))?\Z")


class CorpusTools:
    """search_corpus, open_document and list_documents, all within the asker's narrowing."""

    def __init__(
        self,
        corpus: Corpus,
        options: AskOptions,
        situation: Situation,
        limits: Limits,
        giving: Giving,
    ) -> None:
        self._corpus = corpus
        self._options = options
        self._situation = situation
        self._limits = limits
        self._giving = giving

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool(
                "search_corpus",
                "corpus",
                "Searches the person's documents by words and by meaning, for one thing at a time.",
                self._search,
                {"query": "What to look for, in the words the documents would use."},
                {},
            ),
            Tool(
                "open_document",
                "open",
                "Reads a document that was found or listed, from its start or from given lines.",
                self._open,
                {"path": "Its path as it stands in a passage's `source` or in a list."},
                {"lines": "First and last line, such as 10-40."},
            ),
            Tool(
                "list_documents",
                "list",
                "Lists the paths and titles of the person's documents.",
                self._list,
                {},
                {"folder": "Only those in this folder."},
            ),
        )

    async def _search(self, arguments: Mapping[str, str], passages: Passages) -> ToolResult:
        options, situation = self._options, self._situation
        excluded = set(options.excluded)
        result = await asyncio.to_thread(
            self._corpus.search,
            arguments["query"],
            SearchOptions(
                k=situation.k + len(excluded),
                mode=situation.mode,
                filters=options.filters,
                scope=options.scope,
            ),
        )
        found = [hit for hit in result.hits if hit.chunk.chunk_id not in excluded]
        text, hits = self._giving.give(found[: situation.k], passages, NOTHING)
        return ToolResult(text, hits, searches=1, limited=result.limited)

    async def _open(self, arguments: Mapping[str, str], passages: Passages) -> ToolResult:
        wanted = _lines(arguments.get("lines"))
        document = _named(await self._documents(), arguments["path"])
        everything = await asyncio.to_thread(self._corpus.passages, document)
        excluded = set(self._options.excluded)
        found = [hit for hit in everything if hit.chunk.chunk_id not in excluded]
        if wanted is not None:
            found = [hit for hit in found if _overlaps(hit, *wanted)]
        text, hits = self._giving.give(found[:MAX_OPENED], passages, NOTHING)
        if len(found) > MAX_OPENED:
            start, last = found[MAX_OPENED].chunk.line_start, everything[-1].chunk.line_end
            text += f"\n\nIt goes on: open it with lines {start}-{last} for more."
        return ToolResult(text, hits)

    async def _list(self, arguments: Mapping[str, str], passages: Passages) -> ToolResult:
        documents = await self._documents()
        folder = arguments.get("folder", "").strip("/. ")
        if folder:
            documents = [item for item in documents if _is_in(item, folder)]
        if not documents:
            return ToolResult("(no documents)")
        lines = [
            f"- {one_line(_full_path(item))} — {one_line(item.title)}"
            for item in documents[:MAX_LISTED]
        ]
        if len(documents) > MAX_LISTED:
            lines.append(f"and {len(documents) - MAX_LISTED} more; name a folder to see them.")
        text = "\n".join(lines)
        if not self._limits.take_room(text):
            raise RefusedError(f"The list is too long. {NO_ROOM}")
        return ToolResult(text)

    async def _documents(self) -> list[Document]:
        options = self._options
        found = await asyncio.to_thread(self._corpus.documents, options.filters, options.scope)
        return sorted(found, key=lambda item: (item.source_id, item.doc_path))


def _full_path(document: Document) -> str:
    return f"{document.source_id}/{document.doc_path}"


def _is_in(document: Document, folder: str) -> bool:
    places = (document.doc_path, _full_path(document))
    return any(place.casefold().startswith(f"{folder.casefold()}/") for place in places)


def _named(documents: Sequence[Document], path: str) -> Document:
    """The one document that is meant: by its path, else by the only ending that fits."""
    path = path.partition("#")[0].strip().removeprefix("./").strip("/")
    whole = [item for item in documents if path in (item.doc_path, _full_path(item))]
    ending = f"/{path.casefold()}"
    ends = [item for item in documents if f"/{_full_path(item)}".casefold().endswith(ending)]
    found = whole or (ends if path else [])
    if len(found) == 1:
        return found[0]
    if not found:
        raise RefusedError(
            f"No document is called {one_line(path)!r}. search_corpus and list_documents tell "
            "the paths."
        )
    names = ", ".join(one_line(_full_path(item)) for item in found[:5])
    raise RefusedError(f"Several documents are called so; name one in full: {names}.")


def _lines(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    match = _LINES.match(text)
    if match is None:
        raise RefusedError("lines must look like 10-40.")
    first = int(match.group(1))
    last = int(match.group(2) or first)
    return min(first, last), max(first, last)


def _overlaps(hit: Hit, first: int, last: int) -> bool:
    return hit.chunk.line_start <= last and hit.chunk.line_end >= first
