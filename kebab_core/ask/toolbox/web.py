"""Tools over the web, for a run that may use it. Nothing they bring is stored in the corpus."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from kebab_core.ask.passages import Passages
from kebab_core.ask.prompts.messages import passage
from kebab_core.ask.toolbox.giving import NO_ROOM, Giving
from kebab_core.ask.toolbox.limits import MAX_DOCUMENTS, Limits
from kebab_core.ask.toolbox.tool import RefusedError, Tool
from kebab_core.ask.tools import ToolResult
from kebab_core.settings.model import WebSection
from kebab_core.text.identity import chunk_id, doc_id
from kebab_core.types import Chunk, Hit

NOTHING = "(no web results)"
SOURCE = "web"
_ADDRESS = re.compile(r"https?://[^\s<>\"`]+", re.IGNORECASE)
_ASCII = re.compile(r"[!-~]+")
_AFTER_AN_ADDRESS = ".,;:!?)]}'*_。、，！？）」』】》”’"


class WebTools:
    """web_search and fetch_page. An address that neither a search of this run returned nor the
    question holds, to the letter, is never asked for: a model can't carry anything away in one."""

    def __init__(self, question: str, settings: WebSection, limits: Limits, giving: Giving) -> None:
        self._settings = settings
        self._limits = limits
        self._giving = giving
        self._allowed = addresses(question)
        self._numbers: dict[str, int] = {}

    def tools(self) -> tuple[Tool, ...]:
        return (
            Tool(
                "web_search",
                "web",
                "Searches the web. For what the person's documents don't hold.",
                self._search,
                {"query": "What to look for. It leaves the machine: nothing private."},
                {},
            ),
            Tool(
                "fetch_page",
                "fetch",
                "Reads a page that web_search returned, or whose address the question holds.",
                self._fetch,
                {"url": "Its address, to the letter."},
                {},
            ),
        )

    async def _search(self, arguments: Mapping[str, str], passages: Passages) -> ToolResult:
        from kebab_core.web.search import SearchFailedError, search_web

        try:
            results = await search_web(
                arguments["query"],
                base_url=self._settings.base_url,
                max_results=self._settings.max_results,
            )
        except SearchFailedError as failed:
            raise RefusedError(f"Web search failed: {failed}") from failed
        found = []
        for rank, result in enumerate(results, start=1):
            self._allowed.add(result.url)
            n = self._numbers.get(result.url)
            text = result.snippet or result.title or result.url
            found.append(
                passages[n] if n is not None else _hit(result.url, result.title, text, rank)
            )
        text, hits = self._giving.give(found, passages, NOTHING)
        for hit in hits:
            if hit.url is not None and hit.n is not None:
                self._numbers[hit.url] = hit.n
        return ToolResult(text, hits, searches=1)

    async def _fetch(self, arguments: Mapping[str, str], passages: Passages) -> ToolResult:
        from kebab_core.web.fetch import BlockedError, FetchFailedError, fetch_page

        url = arguments["url"]
        if url not in self._allowed:
            raise RefusedError(
                "Blocked: only an address that web_search returned, or that the question holds, "
                "can be fetched."
            )
        if not self._limits.take_document(doc_id(SOURCE, url)):
            raise RefusedError(f"No more than {MAX_DOCUMENTS} further documents are read in a run.")
        try:
            page = await fetch_page(
                url,
                allow_hosts=self._settings.allow_hosts,
                max_bytes=self._settings.fetch_bytes,
                max_chars=self._settings.fetch_chars,
            )
        except BlockedError as blocked:
            raise RefusedError(f"Blocked: {blocked}") from blocked
        except FetchFailedError as failed:
            raise RefusedError(f"Fetch failed: {failed}") from failed
        return self._read(url, _hit(page.url, page.title, page.text, 1), passages)

    def _read(self, url: str, hit: Hit, passages: Passages) -> ToolResult:
        """The page in the place of its excerpt, if that was given."""
        n = self._numbers.get(url)
        frame = passage(_hit(hit.url or url, hit.title, "", 1).numbered(n or len(passages) + 1))
        text = self._limits.fitting(f"{frame}\n{hit.chunk.text}")[len(frame) + 1 :].rstrip()
        if not text:
            raise RefusedError(NO_ROOM)
        hit = _hit(hit.url or url, hit.title, text, 1)
        (hit,) = passages.add([hit]) if n is None else (passages.renew(n, hit),)
        shown = self._giving.show(hit)
        self._limits.take_room(shown)
        if hit.n is not None:
            self._numbers[url] = hit.n
        return ToolResult(shown, (hit,))


def addresses(text: str) -> set[str]:
    """The addresses in a person's own words, as the words around them may have been meant.

    Punctuation that ends a sentence may belong to the address or not; so may what follows it in
    a script that uses no spaces.
    """
    found: set[str] = set()
    for match in _ADDRESS.finditer(text):
        plain = _ASCII.match(match.group())
        for address in (match.group(), plain.group() if plain else ""):
            found |= {address, address.rstrip(_AFTER_AN_ADDRESS)}
    return found - {""}


def _hit(url: str, title: str, text: str, rank: int) -> Hit:
    document = doc_id(SOURCE, url)
    now = datetime.now(UTC)
    chunk = Chunk(
        chunk_id=chunk_id(document, text, 0),
        doc_id=document,
        source_id=SOURCE,
        doc_path=url,
        ordinal=0,
        text=text,
        start=0,
        end=len(text),
        line_start=1,
        line_end=1 + text.count("\n"),
        media="web",
        of="extracted",
    )
    return Hit(
        chunk=chunk,
        rank=rank,
        score=0.0,
        score_kind="rrf",
        title=title or url,
        indexed_at=now.replace(microsecond=now.microsecond // 1000 * 1000),
        stale=False,
        chunker_version=SOURCE,
        index_version=0,
        kind="web",
        url=url,
    )
