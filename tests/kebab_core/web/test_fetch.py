"""Reading one page: its main text, within caps, and never past the guard."""

from __future__ import annotations

import gzip
import time
from http.server import BaseHTTPRequestHandler

import pytest

from kebab_core.web.fetch import FetchFailedError, fetch_page
from kebab_core.web.guard import BlockedError
from tests.support.site import Site, page, redirect

ARTICLE = (
    "<html><head><title>Döner</title></head><body><nav>menu menu</nav><article><h1>Döner</h1>"
    "<p>The vertical rotisserie was invented in the nineteenth century, in Bursa, and it "
    "spread from there.</p><p>Thin slices are cut from the meat as it cooks, and served in "
    "bread with salad and sauce.</p></article></body></html>"
).encode()
LOCAL = ["127.0.0.1"]


async def test_the_main_text_of_a_page() -> None:
    with Site({"/": page(ARTICLE)}) as site:
        read = await fetch_page(f"{site.base}/", allow_hosts=LOCAL)
    assert "vertical rotisserie" in read.text
    assert "menu menu" not in read.text
    assert read.title == "Döner"


async def test_plain_text_is_cut_at_the_cap() -> None:
    with Site({"/": page(b"a" * 9000, Content_Type="text/plain")}) as site:
        read = await fetch_page(f"{site.base}/", allow_hosts=LOCAL, max_chars=100)
    assert read.text == "a" * 100


async def test_loopback_is_blocked_unless_allowed_by_name() -> None:
    with Site({"/": page(ARTICLE)}) as site:
        with pytest.raises(BlockedError):
            await fetch_page(f"{site.base}/")
        assert site.asked == []


async def test_a_redirect_is_checked_again() -> None:
    with (
        Site({"/": redirect("http://169.254.169.254/latest/meta-data/")}) as site,
        pytest.raises(BlockedError),
    ):
        await fetch_page(f"{site.base}/", allow_hosts=LOCAL)


async def test_a_redirect_to_another_scheme_is_blocked() -> None:
    with Site({"/": redirect("file:///etc/passwd")}) as site, pytest.raises(BlockedError):
        await fetch_page(f"{site.base}/", allow_hosts=LOCAL)


async def test_a_redirect_is_followed_and_named() -> None:
    with Site({"/": redirect("/there"), "/there": page(ARTICLE)}) as site:
        read = await fetch_page(f"{site.base}/", allow_hosts=LOCAL)
        assert read.url == f"{site.base}/there"


async def test_redirects_in_a_circle_end() -> None:
    with Site({"/": redirect("/")}) as site, pytest.raises(FetchFailedError, match="redirects"):
        await fetch_page(f"{site.base}/", allow_hosts=LOCAL)


async def test_a_gzip_bomb_meets_the_byte_cap() -> None:
    bomb = gzip.compress(b"a" * 300_000_000, compresslevel=1)
    served = page(bomb, Content_Type="text/plain", Content_Encoding="gzip")
    with Site({"/": served}) as site:
        read = await fetch_page(
            f"{site.base}/", allow_hosts=LOCAL, max_bytes=1_000_000, max_chars=2_000_000
        )
    assert len(read.text) == 1_000_000


async def test_a_body_that_never_ends_meets_the_byte_cap() -> None:
    def endless(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/plain")
        request.end_headers()
        request.close_connection = True
        while True:
            request.wfile.write(b"b" * 65536)

    with Site({"/": endless}) as site:
        read = await fetch_page(
            f"{site.base}/", allow_hosts=LOCAL, max_bytes=200_000, max_chars=10**6
        )
    assert len(read.text) == 200_000


async def test_a_slow_drip_meets_the_time_cap() -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/plain")
        request.send_header("Content-Length", "1000")
        request.end_headers()
        for _ in range(40):
            request.wfile.write(b".")
            request.wfile.flush()
            time.sleep(0.05)

    with Site({"/": drip}) as site, pytest.raises(FetchFailedError, match="longer than"):
        await fetch_page(f"{site.base}/", allow_hosts=LOCAL, seconds=0.3)


@pytest.mark.parametrize(
    ("served", "why"),
    [
        (page(b"\x89PNG", Content_Type="image/png"), "image/png is not text"),
        (page(b"x", Content_Encoding="br"), "unknown content encoding"),
        (page(b"not gzip", Content_Encoding="gzip"), "broken compression"),
        (page(b"   ", Content_Type="text/plain"), "nothing to read"),
    ],
)
async def test_what_cannot_be_read_says_why(served: object, why: str) -> None:
    with Site({"/": served}) as site, pytest.raises(FetchFailedError, match=why):  # type: ignore[dict-item]
        await fetch_page(f"{site.base}/", allow_hosts=LOCAL)


async def test_a_missing_page_and_a_dead_server_say_so() -> None:
    with Site({}) as site:
        with pytest.raises(FetchFailedError, match="404"):
            await fetch_page(f"{site.base}/", allow_hosts=LOCAL)
        base = site.base
    with pytest.raises(FetchFailedError):
        await fetch_page(f"{base}/", allow_hosts=LOCAL)


async def test_no_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with Site({"/": page(ARTICLE)}) as site, Site({}) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.base)
        monkeypatch.setenv("ALL_PROXY", proxy.base)
        await fetch_page(f"{site.base}/", allow_hosts=LOCAL)
        assert proxy.asked == []
