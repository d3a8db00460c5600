"""Documents without a file: pages of a real server on this machine, texts that were given."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler

import pytest

from kebab_core.errors import ConfigInvalid, InvalidInput
from kebab_core.ingest import ingest
from kebab_core.testing import HashEmbedder
from kebab_core.types import GivenText, Hit, IngestAborted, IngestOptions
from kebab_core.wire.convert import citation
from kebab_core.wire.ingest import IngestReport
from tests.kebab_core.ingest.conftest import Desk
from tests.kebab_core.ingest.test_moves import counts
from tests.support.site import Site, page

ARTICLE = (
    b"<html><head><title>Doner</title></head><body><nav>menu menu</nav><article><h1>Doner</h1>"
    b"<p>The vertical rotisserie was invented in the nineteenth century, in Bursa, and it "
    b"spread from there.</p><p>Thin slices are cut from the meat as it cooks, and served in "
    b"bread with salad and sauce.</p></article></body></html>"
)


def give(desk: Desk, *texts: GivenText, **options: bool) -> IngestReport:
    return ingest(
        desk.store, desk.embedder, [], IngestOptions(**options), desk.configuration(),
        on_event=desk.events.append, cancelled=lambda: False, texts=texts,
    )  # fmt: skip


@pytest.fixture
def local(desk: Desk) -> Desk:
    """Pages of this machine may be fetched."""
    desk.settings = {"web": {"allow_hosts": ["127.0.0.1"]}}
    return desk


def test_a_page_is_fetched_once_and_again_only_when_asked(local: Desk) -> None:
    pages = {"/doner.html": page(ARTICLE)}
    with Site(pages) as site:
        address = f"{site.base}/doner.html"
        report = local.ingest(f"{address}#history")
        assert counts(report) == {"new": 1}
        assert report.scope == [f"{address}#history"]
        local.write("a.md", "words")
        assert counts(local.ingest()) == {"new": 1}
        assert counts(local.ingest(everything=True)) == {"unchanged": 1}
        assert site.asked == ["/doner.html"]
        assert counts(local.ingest(address)) == {"unchanged": 1}
        pages["/doner.html"] = page(ARTICLE.replace(b"Bursa", b"Erzurum"))
        assert counts(local.ingest(address, local.notes)) == {"updated": 1, "unchanged": 1}
        assert site.asked == ["/doner.html"] * 3
    stored = local.documents()[address]
    assert (stored.source_id, stored.title, stored.media) == ("web", "Doner", "web")
    assert (stored.file_path, stored.of) == (None, "extracted")
    assert stored.text.startswith("# Doner\n\nThe vertical rotisserie")
    assert "Erzurum" in stored.text
    assert "menu" not in stored.text
    assert [source.source_id for source in local.store.sources()] == ["notes", "web"]


def test_a_page_is_cited_by_its_address(local: Desk) -> None:
    with Site({"/doner": page(ARTICLE)}) as site:
        address = f"{site.base}/doner"
        local.ingest(address)
    (found,) = local.store.search_terms(["rotisseri"], 3)
    hit = Hit(found.chunk, 1, 1.0, "bm25", "Doner", datetime(2026, 5, 4, tzinfo=UTC), False, "c", 1)
    cited = citation(hit)
    assert (cited.kind, cited.url, cited.uri, cited.title) == ("web", address, address, "Doner")


def test_a_page_that_cant_be_had_is_an_error_line_and_what_is_stored_stays(local: Desk) -> None:
    pages = {"/a": page(ARTICLE)}
    with Site(pages) as site:
        local.ingest(f"{site.base}/a")
        del pages["/a"]
        report = local.ingest(f"{site.base}/a", f"{site.base}/b")
        assert counts(report) == {"errors": 2}
        assert report.items is not None
        assert report.items[0].reason == "the server answered 404"
        assert list(local.documents()) == [f"{site.base}/a"]


def test_the_guard_is_not_passed_by(desk: Desk) -> None:
    with Site({"/a": page(ARTICLE)}) as site:
        report = desk.ingest(f"{site.base}/a")
        assert site.asked == []
    assert counts(report) == {"errors": 1}
    assert report.items is not None
    assert "not a public address" in (report.items[0].reason or "")
    assert not desk.store.exists()


def test_a_silent_server_doesnt_hold_up_a_stop(local: Desk) -> None:
    asked, release = threading.Event(), threading.Event()

    def silent(request: BaseHTTPRequestHandler) -> None:
        asked.set()
        release.wait(30)

    with Site({"/a": silent}) as site:
        report = local.ingest(f"{site.base}/a", cancelled=asked.is_set)
        assert report.aborted == "cancelled"
        assert isinstance(local.events[-1], IngestAborted)
        release.set()


def test_other_addresses_are_refused(desk: Desk) -> None:
    with pytest.raises(InvalidInput, match=r"ftp://host/a\.md"):
        desk.ingest("ftp://host/a.md")


def test_texts_are_kept_as_given_and_replaced_by_title(desk: Desk) -> None:
    first = GivenText("Plan B", b"# Heading\r\n\r\nwords of the plan\n")
    assert counts(give(desk, first)) == {"new": 1}
    assert counts(give(desk, first)) == {"unchanged": 1}
    stored = desk.documents()["Plan B"]
    assert (stored.text, stored.title) == (first.data.decode(), "Plan B")
    assert (stored.source_id, stored.media, stored.file_path) == ("stdin", "markdown", None)
    assert counts(give(desk, GivenText(" Plan  B ", b"other words"))) == {"updated": 1}
    assert counts(give(desk, GivenText("run.py", b"def run():\n    return 1\n"))) == {"new": 1}
    assert desk.documents()["run.py"].media == "code"
    dry = give(desk, GivenText("C", b"words"), dry_run=True)
    assert counts(dry) == {"new": 1}
    assert desk.paths() == ["Plan B", "run.py"]
    for title in ("", " ", "x" * 201, "a\x00b"):
        with pytest.raises(InvalidInput, match="title"):
            give(desk, GivenText(title, b"words"))


def test_indexing_all_again_keeps_what_is_in_no_file(local: Desk) -> None:
    local.write("a.md", "words")
    with Site({"/a": page(ARTICLE)}) as site:
        address = f"{site.base}/a"
        local.ingest(address, local.notes)
    give(local, GivenText("Plan B", b"words of the plan"))
    before = local.documents()
    local.embedder = embedder = HashEmbedder(32)
    report = local.ingest(everything=True, force=True)
    assert counts(report) == {"updated": 3}
    after = local.documents()
    for name in ("a.md", "Plan B", address):
        assert after[name].text == before[name].text
        assert after[name].title == before[name].title
        assert after[name].media == before[name].media
    found = local.store.search_vector(embedder.embed_query("words of the plan"), 1)
    assert found[0].chunk.doc_path == "Plan B"


@pytest.mark.parametrize("name", ["files", "web", "STDIN"])
def test_their_sources_are_no_names_for_folders(desk: Desk, name: str) -> None:
    desk.settings = {"sources": [{"id": name, "path": str(desk.notes)}]}
    with pytest.raises(ConfigInvalid, match="no folder of its own"):
        desk.ingest(everything=True)
    desk.settings = {}
    folder = desk.write(f"{name}/a.md", "words").parent
    desk.ingest(folder)
    assert [source.source_id for source in desk.store.sources()] == [f"{name}-2"]
