"""Web pages for the corpus: fetched once, through the guard, when they are asked for."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from urllib.parse import urldefrag

from kebab_core.ingest.given import Given
from kebab_core.settings.model import Settings

_PAGE = re.compile(r"https?://", re.IGNORECASE)
_LOOK_S = 0.1
_LONGEST = 2_000_000
"""Characters kept of one page."""


def is_page(root: str) -> bool:
    """Whether a root is the address of a page, not a path."""
    return _PAGE.match(root) is not None


def fetch(
    addresses: Sequence[str], settings: Settings, cancelled: Callable[[], bool]
) -> list[Given | tuple[str, str]]:
    """Each page, or its address with why there is none; those not reached when `cancelled` are
    left out. A part after `#` is no part of a page's address."""
    unique = list(dict.fromkeys(urldefrag(address).url for address in addresses))
    return asyncio.run(_fetch_all(unique, settings, cancelled))


async def _fetch_all(
    addresses: Sequence[str], settings: Settings, cancelled: Callable[[], bool]
) -> list[Given | tuple[str, str]]:
    found: list[Given | tuple[str, str]] = []
    for address in addresses:
        task = asyncio.create_task(_fetch(address, settings))
        while not task.done() and not cancelled():
            await asyncio.wait([task], timeout=_LOOK_S)
        if not task.done():
            task.cancel()
            break
        found.append(task.result())
    return found


async def _fetch(address: str, settings: Settings) -> Given | tuple[str, str]:
    from kebab_core.web.fetch import BlockedError, FetchFailedError, fetch_page

    try:
        page = await fetch_page(
            address,
            allow_hosts=settings.web.allow_hosts,
            max_bytes=settings.ingest.max_file_bytes,
            max_chars=_LONGEST,
            seconds=settings.ingest.max_file_seconds,
        )
    except BlockedError as blocked:
        return address, f"not fetched: {blocked}"
    except FetchFailedError as failed:
        return address, str(failed)
    return Given.of_page(address, page.title, page.text)
