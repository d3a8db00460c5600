"""Read the main text of one page, within caps, through the guard."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urljoin

import httpcore
import httpx

from kebab_core.text.clean import for_model
from kebab_core.web.guard import (
    BlockedError,
    GuardedBackend,
    GuardedTransport,
    Resolver,
    check_url,
    system_resolver,
)

MAX_REDIRECTS = 5
PAGE_SECONDS = 15.0
_TEXT_TYPES = ("text/", "application/xhtml+xml", "application/json", "application/xml")
_HEADERS = {"User-Agent": "kebab", "Accept": "text/html,text/plain;q=0.9,*/*;q=0.1"}


class FetchFailedError(Exception):
    """A page that couldn't be read. Its text is safe to show to a model."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as read. `url` is where the redirects ended; `text` is cut at the caller's cap."""

    url: str
    title: str
    text: str


async def fetch_page(
    url: str,
    *,
    allow_hosts: Iterable[str] = (),
    max_bytes: int = 2_000_000,
    max_chars: int = 4_000,
    seconds: float = PAGE_SECONDS,
    resolver: Resolver = system_resolver,
) -> Page:
    """The main text of the page at `url`.

    Raises BlockedError where the guard refuses (the address itself or one it redirects to) and
    FetchFailedError for everything else: unreachable, too slow, not text, nothing to read.
    """
    backend = GuardedBackend(allow_hosts, resolver)
    try:
        async with asyncio.timeout(seconds):
            async with GuardedTransport(backend) as transport:
                final, kind, charset, body = await _get(transport, url, max_bytes, seconds)
            return await asyncio.to_thread(_read, final, kind, charset, body, max_chars)
    except TimeoutError as late:
        raise FetchFailedError(f"took longer than {seconds:g} s") from late
    except (httpx.HTTPError, httpcore.NetworkError, httpcore.ProtocolError) as broken:
        raise FetchFailedError(str(broken) or type(broken).__name__) from broken


async def _get(
    transport: GuardedTransport, url: str, max_bytes: int, seconds: float
) -> tuple[str, str, str | None, bytes]:
    for _ in range(MAX_REDIRECTS + 1):
        check_url(url)
        timeouts = dict.fromkeys(("connect", "read", "write", "pool"), seconds)
        request = httpx.Request(
            "GET",
            url,
            headers={**_HEADERS, "Accept-Encoding": "gzip"},
            extensions={"timeout": timeouts},
        )
        response = await transport.handle_async_request(request)
        try:
            if response.is_redirect:
                url = urljoin(url, response.headers["location"])
                continue
            if response.status_code != 200:
                raise FetchFailedError(f"the server answered {response.status_code}")
            kind = response.headers.get("content-type", "text/html").partition(";")[0].strip()
            if not kind.startswith(_TEXT_TYPES):
                raise FetchFailedError(f"{kind} is not text")
            body = await _body(response, max_bytes)
            return url, kind, response.charset_encoding, body
        finally:
            await response.aclose()
    raise FetchFailedError(f"more than {MAX_REDIRECTS} redirects")


async def _body(response: httpx.Response, max_bytes: int) -> bytes:
    """At most `max_bytes` of the body, counted after decompression."""
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in {"identity", "", "gzip", "deflate"}:
        raise FetchFailedError(f"unknown content encoding {encoding}")
    # wbits 47: a gzip or zlib header, whichever comes.
    inflate = zlib.decompressobj(47) if encoding in {"gzip", "deflate"} else None
    parts = bytearray()
    async for raw in response.aiter_raw():
        room = max_bytes - len(parts)
        try:
            # max_length keeps a bomb from unfolding in memory.
            parts += inflate.decompress(raw, room) if inflate else raw[:room]
        except zlib.error as broken:
            raise FetchFailedError("broken compression") from broken
        if len(parts) >= max_bytes:
            break
    return bytes(parts)


def _read(url: str, kind: str, charset: str | None, body: bytes, max_chars: int) -> Page:
    if kind in {"text/html", "application/xhtml+xml"}:
        title, text = _main_text(body, url)
    else:
        title, text = "", body.decode(charset or "utf-8", errors="replace")
    text = for_model(text).strip()
    if not text:
        raise FetchFailedError("nothing to read on that page")
    return Page(url=url, title=for_model(title).strip() or url, text=text[:max_chars])


def _main_text(body: bytes, url: str) -> tuple[str, str]:
    try:
        import trafilatura
    except ImportError as missing:
        raise FetchFailedError(
            "reading web pages needs an extra: pip install 'kebab[web]'"
        ) from missing
    document = trafilatura.bare_extraction(body, url=url, with_metadata=True)
    if document is None:
        return "", ""
    fields = document if isinstance(document, dict) else document.as_dict()
    return str(fields.get("title") or ""), str(fields.get("text") or "")


__all__ = ["BlockedError", "FetchFailedError", "Page", "fetch_page"]
