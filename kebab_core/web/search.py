"""Ask a search engine: a SearXNG instance, or a metasearch library without one."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import httpx

from kebab_core.settings.report import masked
from kebab_core.text.clean import for_model

SEARCH_SECONDS = 15.0


class SearchFailedError(Exception):
    """No search engine answered. Its text is safe to show to a model."""


@dataclass(frozen=True, slots=True)
class WebResult:
    url: str
    title: str
    snippet: str


async def search_web(query: str, *, base_url: str = "", max_results: int = 5) -> list[WebResult]:
    """At most `max_results` results for `query`, best first. Raises SearchFailedError."""
    try:
        async with asyncio.timeout(SEARCH_SECONDS):
            if base_url:
                found = await _searxng(query, base_url)
            else:
                found = await asyncio.to_thread(_metasearch, query, max_results)
    except TimeoutError as late:
        raise SearchFailedError(f"no answer within {SEARCH_SECONDS:g} s") from late
    unique = {result.url: result for result in found if result.url.startswith(("http:", "https:"))}
    return list(unique.values())[:max_results]


async def _searxng(query: str, base_url: str) -> list[WebResult]:
    address = f"{base_url.rstrip('/')}/search"
    # A model reads what went wrong, so a password in the address must not be in it.
    shown = masked(base_url)
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=SEARCH_SECONDS) as client:
            response = await client.get(address, params={"q": query, "format": "json"})
            response.raise_for_status()
            results = response.json()["results"]
            return [
                WebResult(
                    url=str(item["url"]),
                    title=for_model(str(item.get("title") or "")),
                    snippet=for_model(str(item.get("content") or "")),
                )
                for item in results
            ]
    except httpx.HTTPStatusError as refused:
        status = refused.response.status_code
        hint = " (is `json` among its search formats?)" if status == 403 else ""
        raise SearchFailedError(f"{shown} answered {status}{hint}") from refused
    except httpx.HTTPError as broken:
        raise SearchFailedError(f"{shown} can't be reached: {broken}") from broken
    except (ValueError, KeyError, TypeError) as odd:
        raise SearchFailedError(f"{shown} didn't answer as SearXNG does") from odd


def _metasearch(query: str, max_results: int) -> list[WebResult]:
    try:
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException
    except ImportError as missing:
        raise SearchFailedError(
            "web search needs [web].base_url (a SearXNG instance) or an extra: "
            "pip install 'kebab[web]'"
        ) from missing
    try:
        found = DDGS(timeout=10).text(query, max_results=max_results)
    except DDGSException as failed:
        if "no results" in str(failed).lower():
            return []
        raise SearchFailedError(f"web search failed: {failed}") from failed
    return [
        WebResult(
            url=str(item.get("href", "")),
            title=for_model(str(item.get("title", ""))),
            snippet=for_model(str(item.get("body", ""))),
        )
        for item in found
    ]
