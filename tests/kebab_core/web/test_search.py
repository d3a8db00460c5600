"""SearXNG's JSON, and what happens when it isn't."""

from __future__ import annotations

import json

import pytest

from kebab_core.web.search import SearchFailedError, WebResult, search_web
from tests.support.site import Site, page

RESULTS = {
    "results": [
        {"url": "https://a.example/1", "title": "One", "content": "first\x1b[31m"},
        {"url": "https://a.example/1", "title": "One again", "content": "same"},
        {"url": "ftp://a.example/2", "title": "Two", "content": "no"},
        {"url": "https://b.example/3", "title": "Three", "content": None},
    ]
}


async def test_results_come_once_each_and_clean() -> None:
    served = page(json.dumps(RESULTS).encode(), Content_Type="application/json")
    with Site({"/search": served}) as site:
        found = await search_web("döner & co", base_url=f"{site.base}/", max_results=5)
        assert site.asked == ["/search?q=d%C3%B6ner%20%26%20co&format=json"] or (
            "d%C3%B6ner" in site.asked[0]
        )
    assert [result.url for result in found] == ["https://a.example/1", "https://b.example/3"]
    assert all("\x1b" not in result.snippet for result in found)
    assert found[1] == WebResult("https://b.example/3", "Three", "")


async def test_no_more_than_asked_for() -> None:
    served = page(json.dumps(RESULTS).encode(), Content_Type="application/json")
    with Site({"/search": served}) as site:
        assert len(await search_web("q", base_url=site.base, max_results=1)) == 1


@pytest.mark.parametrize("body", [b"<html>", b'{"answers": []}', b'{"results": 5}', b"[]"])
async def test_another_servers_answer_is_said(body: bytes) -> None:
    with (
        Site({"/search": page(body)}) as site,
        pytest.raises(SearchFailedError, match="as SearXNG does"),
    ):
        await search_web("q", base_url=site.base)


async def test_a_refusal_and_a_dead_server_are_said() -> None:
    with Site({}) as site:
        with pytest.raises(SearchFailedError, match="404"):
            await search_web("q", base_url=site.base)
        base = site.base
    with pytest.raises(SearchFailedError, match="can't be reached"):
        await search_web("q", base_url=base)
