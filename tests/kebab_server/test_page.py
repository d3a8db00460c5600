"""The page at `/`, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kebab_core.testing.model import Received, Say, ScriptedModel, Step
from kebab_server.routes.page import page, policy
from tests.support.browser import Browser
from tests.support.corpus import stored
from tests.support.service import LOCAL, QUESTION, UNKNOWN, Served, make_corpus

MARKUP = "<b onclick=x>Notice</b> <img src=x onerror=alert(1)>"
TAIL = '\n---\n{"cited": [1], "followups": ["Who signs the notice?"], "gap": null}'


def script(request: Received) -> list[Step]:
    asked = str(request.messages[-1]["content"])
    if UNKNOWN in asked:
        return [Say("NOTFOUND")]
    if "Who signs" in asked:
        return [Say("Your manager [1].")]
    return [Say.words(f"It lasts 26 weeks [1]. {MARKUP} is separate."), Say(TAIL)]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    make_corpus(tmp_path / "corpus")
    with (
        ScriptedModel(script) as model,
        Served(tmp_path / "corpus", model, corpus=False) as running,
    ):
        running.service.base.store.replace(
            [stored("html.md", [f"Parental leave {MARKUP} passage."], title=f"Leave {MARKUP}")]
        )
        yield running


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(tmp_path / "profile") as running:
        yield running


def test_it_asks_streams_shows_sources_and_follows_up(served: Served, browser: Browser) -> None:
    browser.open(f"{served.base}/#{LOCAL}")
    browser.until("document.querySelectorAll('#starters button').length >= 3")
    # The token is in no place that outlives the page.
    assert browser.value("location.hash") == ""
    assert (
        browser.value("localStorage.length + sessionStorage.length + document.cookie.length") == 0
    )
    browser.type(QUESTION)
    browser.press_enter()
    browser.until("document.body.innerText.includes('ASK NEXT')")
    prose = browser.value("document.querySelector('.prose').textContent")
    assert prose == f"It lasts 26 weeks [1]. {MARKUP} is separate."
    summary = browser.value("document.querySelector('details.cited summary').textContent")
    assert summary.startswith("[1] Leave")
    # Markup of a model or a document is text.
    assert browser.value("document.querySelectorAll('b, img').length") == 0
    browser.value("document.querySelector('.proposals button').click()")
    browser.until("document.body.innerText.includes('Your manager [1].')")
    headings = browser.value("[...document.querySelectorAll('h2')].map(one => one.textContent)")
    assert headings == [QUESTION, "Who signs the notice?"]
    assert browser.said == []


def test_it_says_when_nothing_is_found(served: Served, browser: Browser) -> None:
    browser.open(f"{served.base}/#{LOCAL}")
    browser.until("document.querySelectorAll('#starters button').length >= 3")
    browser.type(UNKNOWN)
    browser.press_enter()
    browser.until("document.body.innerText.includes('I searched')")
    assert browser.value("document.querySelectorAll('.cited').length") == 0
    # No score, no rank, no id.
    assert not re.search(r"\(0\.\d\d\)|[0-9a-f]{32}", browser.value("document.body.innerText"))


def test_it_says_what_is_wrong_with_a_token(served: Served, browser: Browser) -> None:
    browser.open(f"{served.base}/#wrong")
    browser.until("document.getElementById('notice').textContent.includes('token')")
    browser.open(f"{served.base}/?none")
    browser.until("document.getElementById('notice').textContent.includes('kebab serve')")


def test_nothing_comes_from_elsewhere(served: Served) -> None:
    with served.bare() as client:
        reply = client.get("/")
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/html")
    assert reply.headers["content-security-policy"] == policy()
    assert "default-src 'none'" in policy()
    assert "unsafe" not in policy()
    assert policy().count("sha256-") == 2
    assert not re.search(r"https?:|//[a-z]|@import|url\(|innerHTML|eval\(", page())
    assert not re.search(r"\sstyle=|\son\w+=", page())
