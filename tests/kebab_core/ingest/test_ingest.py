"""Runs over a folder that changes: new, updated, unchanged, removed."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab_core.errors import InvalidInput, NotFound
from kebab_core.ingest import chunk, prepare
from kebab_core.testing import HashEmbedder
from kebab_core.types import (
    AssetFinished,
    AssetStarted,
    EmbedBatchFinished,
    IngestCompleted,
    IngestEvent,
    IngestNotice,
    ScanCompleted,
    ScanStarted,
)
from kebab_core.wire.ingest import IngestReport
from tests.kebab_core.ingest.conftest import Desk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CountingEmbedder(HashEmbedder):
    """Keeps what it was asked to embed."""

    def __init__(self, dimensions: int = 64) -> None:
        super().__init__(dimensions)
        self.texts: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return super().embed_passages(texts)


def settle(root: Path) -> None:
    """Let the files be older than a tick of the file system's clock."""
    an_hour_ago = time.time_ns() - 3_600_000_000_001
    for path in root.rglob("*"):
        os.utime(path, ns=(an_hour_ago, an_hour_ago))


def outcome(report: IngestReport) -> dict[str, int]:
    names = ("new", "updated", "unchanged", "moved", "removed", "skipped", "errors")
    return {name: getattr(report, name) for name in names if getattr(report, name)}


def kinds(events: Sequence[IngestEvent]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_events_come_in_order_and_agree_with_the_report(desk: Desk) -> None:
    desk.write("a.md", "# A\n\nwords")
    desk.write("b.md", "")
    desk.write("c.bin", b"\0\1")
    report = desk.ingest()
    assert outcome(report) == {"new": 1, "skipped": 2}
    assert (report.scanned, report.chunks_indexed, report.embeddings_computed) == (3, 1, 1)
    assert report.skip_reasons == {"binary": 1, "empty": 1}
    assert report.skipped_by_extension == {".bin": 1, ".md": 1}
    first, *_, last = desk.events
    assert first == ScanStarted((str(desk.notes),))
    assert isinstance(last, IngestCompleted)
    assert last.counts.new == 1
    scan = next(event for event in desk.events if isinstance(event, ScanCompleted))
    assert (scan.counts.scanned, scan.to_read) == (3, 2)
    order = kinds(desk.events)
    assert order.count("IngestCompleted") == 1
    assert order.index("ScanCompleted") < order.index("AssetStarted")
    assert order.index("EmbedBatchFinished") < order.index("IngestCompleted")
    finished = {e.doc_path: e.result for e in desk.events if isinstance(e, AssetFinished)}
    assert finished == {"a.md": "new", "b.md": "skipped", "c.bin": "skipped"}
    assert report.items is not None
    assert {item.doc_path: item.reason for item in report.items} == {
        "a.md": None, "b.md": "empty", "c.bin": "binary, not text",
    }  # fmt: skip


def test_a_second_run_reads_and_writes_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for i in range(5):
        desk.write(f"{i}.md", f"# Note {i}\n\nwords of note {i}")
    settle(desk.notes)
    first = desk.ingest()
    assert outcome(first) == {"new": 5}
    before = desk.documents()

    def refuse(path: str, limit: int) -> None:
        raise AssertionError(f"{path} was read")

    monkeypatch.setattr(prepare, "read_file", refuse)
    second = desk.ingest()
    assert outcome(second) == {"unchanged": 5}
    assert second.items == []
    assert not any(isinstance(event, AssetStarted | EmbedBatchFinished) for event in desk.events)
    after = desk.documents()
    assert all(after[path].indexed_at == before[path].indexed_at for path in before)
    assert all(after[path].verified_at > before[path].verified_at for path in before)


def test_an_edit_is_found_by_time_size_or_within_a_tick_by_content(desk: Desk) -> None:
    path = desk.write("a.md", "# A\n\nold words")
    # A change so late that the ingest falls into its tick, however long it takes.
    at = time.time_ns() + 3_600_000_000_000
    os.utime(path, ns=(at, at))
    desk.ingest()
    # Of the same length, at the same time: only its content tells.
    path.write_bytes(b"# A\n\nnew words")
    stored = desk.documents()["a.md"]
    os.utime(path, ns=(at, stored.mtime_ns))
    assert outcome(desk.ingest()) == {"updated": 1}
    assert desk.documents()["a.md"].text == "# A\n\nnew words"
    path.write_bytes(b"# A\n\nnew words, and more")
    assert outcome(desk.ingest()) == {"updated": 1}
    (found,) = desk.store.chunks_of(stored.doc_id)
    assert found.text.endswith("and more")


def test_a_touched_file_is_unchanged_and_its_time_is_noted(desk: Desk) -> None:
    path = desk.write("a.md", "words")
    settle(desk.notes)
    desk.ingest()
    os.utime(path, ns=(1_000_000_001, 1_000_000_001))
    assert outcome(desk.ingest()) == {"unchanged": 1}
    assert desk.documents()["a.md"].mtime_ns == 1_000_000_001


def test_an_edit_embeds_only_what_is_new(desk: Desk) -> None:
    desk.embedder = embedder = CountingEmbedder()
    sections = [f"## Part {i}\n\nWords about topic number {i}." for i in range(30)]
    desk.write("a.md", "\n\n".join(sections))
    desk.write("copy.md", "\n\n".join(sections))
    report = desk.ingest()
    assert (report.embeddings_computed, report.embeddings_reused) == (30, 30)
    embedder.texts.clear()
    sections[12] += " One line more."
    desk.write("a.md", "\n\n".join(sections))
    report = desk.ingest()
    assert (report.embeddings_computed, report.embeddings_reused) == (1, 29)
    assert ["One line more" in text for text in embedder.texts] == [True]


def test_forcing_does_everything_again(desk: Desk) -> None:
    desk.embedder = embedder = CountingEmbedder()
    desk.write("a.md", "words")
    settle(desk.notes)
    desk.ingest()
    embedder.texts.clear()
    report = desk.ingest(force=True)
    assert outcome(report) == {"updated": 1}
    assert len(embedder.texts) == report.embeddings_computed == 1


def test_another_chunker_or_parser_does_its_documents_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.md", "words")
    settle(desk.notes)
    desk.ingest()
    monkeypatch.setattr(chunk, "VERSION", "chunk.next")
    assert outcome(desk.ingest()) == {"updated": 1}
    assert desk.documents()["a.md"].chunker_version == "chunk.next"
    assert outcome(desk.ingest()) == {"unchanged": 1}


def test_a_dry_run_says_what_would_happen_and_writes_nothing(desk: Desk) -> None:
    desk.write("a.md", "words")
    desk.write("bad.pdf", b"%PDF-1.4")
    report = desk.ingest(dry_run=True)
    assert outcome(report) == {"new": 1, "errors": 1}
    assert (report.dry_run, report.chunks_indexed) == (True, 0)
    assert report.items is not None
    assert {item.doc_path: item.chunks for item in report.items} == {"a.md": 1, "bad.pdf": 0}
    assert not desk.store.exists()
    desk.ingest()
    (desk.notes / "a.md").unlink()
    desk.write("b.md", "other words")
    assert outcome(desk.ingest(dry_run=True)) == {"new": 1, "removed": 1, "errors": 1}
    assert desk.paths() == ["a.md", "bad.pdf"]


# --- bad files -------------------------------------------------------------------------------


def test_a_file_that_cant_be_read_is_said_each_time_until_it_is_mended(desk: Desk) -> None:
    desk.write("good.md", "words")
    desk.write("bad.pdf", b"%PDF-1.4 cut")
    settle(desk.notes)
    for expected in ({"new": 1, "errors": 1}, {"unchanged": 1, "errors": 1}):
        report = desk.ingest()
        assert outcome(report) == expected
        (item,) = [item for item in report.items or [] if item.kind == "error"]
        assert (item.doc_path, item.reason) == (
            "bad.pdf", "broken: not a PDF that can be opened",
        )  # fmt: skip
        kept = desk.documents()["bad.pdf"]
        assert (kept.error, kept.chunk_count, kept.text) == (item.reason, 0, "")
    assert desk.store.stats().failing == 1
    from tests.kebab_core.ingest.extract.make_pdf import pdf

    desk.write("bad.pdf", pdf(["mended"]))
    assert outcome(desk.ingest()) == {"updated": 1, "unchanged": 1}
    assert desk.documents()["bad.pdf"].error is None


def test_a_good_document_that_breaks_loses_its_chunks(desk: Desk) -> None:
    from tests.kebab_core.ingest.extract.make_pdf import pdf

    desk.write("a.pdf", pdf(["words that were there"]))
    desk.ingest()
    desk.write("a.pdf", b"%PDF-1.4 overwritten")
    assert outcome(desk.ingest()) == {"errors": 1}
    assert desk.store.counts() == (1, 0)


def test_what_becomes_empty_or_too_large_leaves_the_corpus(desk: Desk) -> None:
    desk.settings = {"ingest": {"max_file_bytes": 1000}}
    desk.write("a.md", "words")
    desk.write("b.md", "words too")
    desk.write("huge.log", b"x" * 1001)
    report = desk.ingest()
    assert outcome(report) == {"new": 2, "skipped": 1}
    assert report.skip_reasons == {"too_large": 1}
    assert report.items is not None
    assert report.items[0].reason == "1,001 bytes, more than ingest.max_file_bytes (1,000)"
    desk.write("a.md", "")
    desk.write("b.md", "long " * 500)
    assert outcome(desk.ingest()) == {"skipped": 3, "removed": 2}
    assert desk.store.counts() == (0, 0)


def test_fifty_megabytes_are_passed_over_without_being_read(desk: Desk) -> None:
    path = desk.write("big.txt", "")
    with path.open("r+b") as file:
        file.truncate(50_000_000)
    begun = time.monotonic()
    report = desk.ingest()
    assert report.skip_reasons == {"too_large": 1}
    assert time.monotonic() - begun < 2


def test_a_file_that_vanishes_or_is_locked_while_the_run_goes_is_an_error_line(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.md", "words")
    desk.write("b.md", "other words")
    desk.ingest()
    for name in ("a.md", "b.md"):
        desk.write(name, "changed words")

    def lose(event: IngestEvent) -> None:
        if isinstance(event, ScanCompleted):
            (desk.notes / "a.md").unlink()

    report = desk.ingest(on_event=lose)
    assert outcome(report) == {"updated": 1, "errors": 1}
    assert desk.documents()["a.md"].text == "words"  # until it is known to be gone
    assert outcome(desk.ingest()) == {"unchanged": 1, "removed": 1}


# --- what is gone ----------------------------------------------------------------------------


def test_what_left_the_disk_leaves_the_corpus(desk: Desk) -> None:
    desk.write("a.md", "words")
    desk.write("sub/b.md", "words")
    desk.ingest()
    shutil.rmtree(desk.notes / "sub")
    assert outcome(desk.ingest()) == {"unchanged": 1, "removed": 1}
    assert desk.paths() == ["a.md"]
    assert desk.store.counts() == (1, 1)


def test_an_empty_or_vanished_root_removes_nothing(desk: Desk) -> None:
    desk.write("a.md", "words")
    desk.ingest()
    (desk.notes / "a.md").unlink()
    report = desk.ingest()
    assert outcome(report) == {}
    (warning,) = report.warnings
    assert "is empty, as a disk that isn't mounted is" in warning
    assert "nothing of it was removed (1 document)" in warning
    desk.notes.rmdir()
    report = desk.ingest(everything=True)
    assert outcome(report) == {}
    assert "can't be reached (no such file or directory)" in report.warnings[0]
    assert "kebab sources remove notes" in report.warnings[0]
    assert desk.paths() == ["a.md"]
    desk.notes.mkdir()
    assert outcome(desk.ingest(prune=True)) == {"removed": 1}


def test_most_of_a_source_goes_only_when_asked(desk: Desk) -> None:
    for i in range(30):
        desk.write(f"{i}.md", f"words {i}")
    desk.ingest()
    for i in range(21):
        (desk.notes / f"{i}.md").unlink()
    desk.write("new.md", "new words")
    report = desk.ingest()
    assert outcome(report) == {"new": 1, "unchanged": 9}
    assert "21 of 30 documents of source 'notes'" in report.warnings[-1]
    assert "kebab ingest --prune" in report.warnings[-1]
    assert IngestNotice(report.warnings[-1]) in desk.events
    assert outcome(desk.ingest(prune=True)) == {"unchanged": 10, "removed": 21}


def test_a_part_of_a_root_touches_that_part_alone(desk: Desk) -> None:
    for name in ("a.md", "sub/b.md", "sub/c.md"):
        desk.write(name, "words")
    desk.ingest()
    (desk.notes / "a.md").unlink()
    (desk.notes / "sub/b.md").unlink()
    desk.write("sub/c.md", "changed")
    desk.write("d.md", "not yet")
    assert outcome(desk.ingest(desk.notes / "sub")) == {"updated": 1, "removed": 1}
    assert desk.paths() == ["a.md", "sub/c.md"]
    desk.write("sub/c.md", "changed again")
    assert outcome(desk.ingest(desk.notes / "sub/c.md")) == {"updated": 1}
    assert outcome(desk.ingest(everything=True)) == {"new": 1, "unchanged": 1, "removed": 1}


def test_single_files_have_a_source_of_their_own(desk: Desk, tmp_path: Path) -> None:
    one, other = tmp_path / "one" / "todo.md", tmp_path / "other" / "todo.md"
    for path in (one, other):
        path.parent.mkdir()
        path.write_text(f"words of {path.parent.name}")
        (path.parent / "beside.txt").write_text("not asked for")
    assert outcome(desk.ingest(one, other)) == {"new": 2}
    assert desk.paths() == ["other/todo.md", "todo.md"]
    assert {item.source_id for item in desk.documents().values()} == {"files"}
    one.write_text("changed")
    other.unlink()
    assert outcome(desk.ingest(everything=True)) == {"updated": 1, "removed": 1}
    # Once its folder is a source, the file is the folder's.
    assert outcome(desk.ingest(one.parent)) == {"new": 1, "moved": 1}
    assert {item.source_id for item in desk.documents().values()} == {"one"}


def test_a_single_file_with_a_name_that_is_no_utf8_is_found_again(
    desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.md")
    path.write_text("words")
    assert outcome(desk.ingest(path)) == {"new": 1}
    (document,) = desk.documents().values()
    assert document.doc_path.endswith("caf%E9.md")
    assert document.file_path is None
    path.write_text("changed")
    assert outcome(desk.ingest(everything=True)) == {"updated": 1}


def test_roots_are_remembered(desk: Desk, tmp_path: Path) -> None:
    second = tmp_path / "work" / "notes"
    second.mkdir(parents=True)
    (second / "b.md").write_text("words")
    desk.write("a.md", "words")
    desk.ingest(desk.notes, second)
    remembered = [(source.source_id, source.path) for source in desk.store.sources()]
    assert remembered == [("notes", str(desk.notes)), ("notes-2", str(second))]
    (second / "c.md").write_text("more")
    report = desk.ingest(everything=True)
    assert report.scope == ["notes", "notes-2"]
    assert outcome(report) == {"new": 1, "unchanged": 2}


def test_a_nested_source_of_the_settings_takes_its_files_over(desk: Desk) -> None:
    for i in range(25):
        desk.write(f"inner/{i}.md", f"words {i}")
    desk.write("a.md", "words")
    desk.embedder = embedder = CountingEmbedder()
    desk.ingest()
    embedder.texts.clear()
    desk.settings = {"sources": [{"id": "inner", "path": str(desk.notes / "inner")}]}
    report = desk.ingest(everything=True)
    # Not "most of a source is gone": it is all still there.
    assert outcome(report) == {"moved": 25, "unchanged": 1}
    assert embedder.texts == []
    owners = {item.source_id for item in desk.documents().values() if item.doc_path != "a.md"}
    assert owners == {"inner"}


def test_a_source_may_get_another_name_in_the_settings(desk: Desk) -> None:
    desk.write("a.md", "words")
    desk.ingest()
    desk.settings = {
        "sources": [{"id": "mine", "path": str(desk.notes), "readers": ["*"], "exclude": ["b*"]}]
    }
    desk.write("b.md", "left out")
    assert outcome(desk.ingest(everything=True)) == {"moved": 1}
    (source,) = desk.store.sources()
    assert (source.source_id, source.made_by, source.readers) == ("mine", "settings", ("*",))


# --- bad input -------------------------------------------------------------------------------


def test_a_path_that_isnt_there_changes_nothing(desk: Desk) -> None:
    desk.write("a.md", "words")
    with pytest.raises(NotFound, match="nowhere"):
        desk.ingest(desk.notes, desk.notes / "nowhere")
    assert desk.events == []
    assert not desk.store.exists()
    assert not desk.workspace.directory.exists()


def test_nothing_known_and_nothing_given(desk: Desk) -> None:
    with pytest.raises(InvalidInput, match="nothing to ingest"):
        desk.ingest(everything=True)
    assert not desk.store.exists()


def test_an_empty_folder_is_said_to_be(desk: Desk) -> None:
    report = desk.ingest()
    assert outcome(report) == {}
    assert report.warnings == [f"There is nothing to read in {desk.notes}."]
    assert not desk.store.exists()


def test_the_corpus_itself_is_never_read(desk: Desk) -> None:
    desk.write("a.md", "words")
    desk.ingest()
    root = desk.workspace.directory.parent
    report = desk.ingest(root)
    assert all("workspace/" not in path for path in desk.paths())
    assert outcome(report) == {"unchanged": 1}
