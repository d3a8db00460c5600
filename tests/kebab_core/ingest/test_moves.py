"""Files that go from one place to another, and names that are almost the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from kebab_core.ingest import chunk
from kebab_core.store.chunks import Chunks
from kebab_core.store.documents import Documents
from kebab_core.testing import HashEmbedder
from kebab_core.types import AssetFinished
from kebab_core.wire.ingest import IngestReport
from tests.kebab_core.ingest.conftest import Desk

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CountingEmbedder(HashEmbedder):
    def __init__(self) -> None:
        super().__init__(64)
        self.texts: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return super().embed_passages(texts)


def counts(report: IngestReport) -> dict[str, int]:
    names = ("new", "updated", "unchanged", "moved", "removed", "skipped", "errors")
    return {name: getattr(report, name) for name in names if getattr(report, name)}


def moves(report: IngestReport) -> dict[str, str | None]:
    return {item.doc_path: item.moved_from for item in report.items or [] if item.kind == "moved"}


def test_a_renamed_folder_embeds_nothing(desk: Desk) -> None:
    desk.embedder = embedder = CountingEmbedder()
    for i in range(30):
        desk.write(f"old/{i}.md", f"# Note {i}\n\nwords of note {i}")
    desk.ingest()
    before = {item.title: item for item in desk.documents().values()}
    embedder.texts.clear()
    (desk.notes / "old").rename(desk.notes / "new")
    dry = desk.ingest(dry_run=True)
    report = desk.ingest()
    # Nothing is lost, so that nothing has to be allowed: all of a source may move at once.
    assert counts(report) == counts(dry) == {"moved": 30}
    assert moves(report) == moves(dry) == {f"new/{i}.md": f"old/{i}.md" for i in range(30)}
    assert embedder.texts == []
    assert (report.embeddings_computed, report.embeddings_reused) == (0, 30)
    told = [event for event in desk.events if isinstance(event, AssetFinished)]
    assert {event.moved_from for event in told} == {f"old/{i}.md" for i in range(30)}
    after = {item.title: item for item in desk.documents().values()}
    assert desk.paths() == sorted(f"new/{i}.md" for i in range(30))
    for title, document in after.items():
        assert document.text == before[title].text
        assert document.indexed_at == before[title].indexed_at
        assert document.verified_at > before[title].verified_at
    assert desk.store.counts() == (30, 30)
    found = desk.store.search_vector(embedder.embed_query("words of note 3"), 1)
    assert found[0].chunk.doc_path == "new/3.md"
    assert counts(desk.ingest()) == {"unchanged": 30}


def test_each_that_went_is_the_origin_of_one(desk: Desk) -> None:
    for name in ("a/x.md", "a/y.md", "b/x.md"):
        desk.write(name, "the same words")
    desk.ingest()
    for name in ("a/x.md", "a/y.md", "b/x.md"):
        (desk.notes / name).unlink()
    for name in ("c/1.md", "c/x.md", "c/y.md", "d/2.md"):
        desk.write(name, "the same words")
    report = desk.ingest()
    assert counts(report) == {"moved": 3, "new": 1}
    # The name is kept where one of those that went had it.
    assert moves(report) == {"c/1.md": "b/x.md", "c/x.md": "a/x.md", "c/y.md": "a/y.md"}
    assert desk.paths() == ["c/1.md", "c/x.md", "c/y.md", "d/2.md"]


def test_a_move_is_no_copy_and_a_copy_no_move(desk: Desk) -> None:
    desk.write("a.md", "the same words")
    desk.ingest()
    desk.write("b.md", "the same words")
    assert counts(desk.ingest()) == {"new": 1, "unchanged": 1}
    (desk.notes / "a.md").unlink()
    assert counts(desk.ingest()) == {"unchanged": 1, "removed": 1}


def test_moved_and_edited_is_new_and_removed(desk: Desk) -> None:
    desk.write("a.md", "words")
    desk.ingest()
    (desk.notes / "a.md").rename(desk.notes / "b.md")
    desk.write("b.md", "other words")
    assert counts(desk.ingest()) == {"new": 1, "removed": 1}


def test_moved_to_another_source(desk: Desk) -> None:
    desk.write("stays.md", "words that stay")
    path = desk.write("a.md", "words")
    other = desk.notes.with_name("archive")
    other.mkdir()
    (other / "b.md").write_text("other words")
    desk.ingest(desk.notes, other)
    path.rename(other / "a.md")
    # The new place alone: that it left the old one isn't known yet.
    assert counts(desk.ingest(other)) == {"new": 1, "unchanged": 1}
    (other / "a.md").rename(path)
    report = desk.ingest(everything=True)
    assert counts(report) == {"removed": 1, "unchanged": 3}
    path.rename(other / "c.md")
    report = desk.ingest(everything=True)
    assert counts(report) == {"moved": 1, "unchanged": 2}
    assert {item.doc_path: item.source_id for item in desk.documents().values()} == {
        "stays.md": "notes", "b.md": "archive", "c.md": "archive",
    }  # fmt: skip


def test_moved_while_the_chunker_changed_is_indexed_now(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = desk.write("a.md", "words")
    desk.ingest()
    before = desk.documents()["a.md"]
    path.rename(desk.notes / "b.md")
    monkeypatch.setattr(chunk, "VERSION", "chunk.next")
    assert counts(desk.ingest()) == {"moved": 1}
    assert desk.documents()["b.md"].indexed_at > before.indexed_at


ALIKE = [
    "Résumé.md",
    unicodedata.normalize("NFD", "Résumé.md"),
    "résumé.md",
    "RÉSUMÉ.MD",
    "notes [1].md",
    "notes (1).md",
    "notes {1}.md",
    "notes 1.md",
    "[draft]/[x].md",
    "[a-z].md",
    "b.md",
    'it\'s "50%" of %41.md',
    'it\'s "50%" of A.md',
    "*?.md",
    "회의록.md",
    unicodedata.normalize("NFD", "회의록.md"),
]


def test_names_that_are_almost_the_same_stay_apart(desk: Desk) -> None:
    for i, name in enumerate(ALIKE):
        desk.write(name, f"# Note {i}\n\nwords of note{i}")
    names = sorted(
        path.relative_to(desk.notes).as_posix() for path in desk.notes.rglob("*.[mM][dD]")
    )
    assert len(names) == len(ALIKE)  # on a disk that keeps all of them
    report = desk.ingest()
    assert counts(report) == {"new": len(ALIKE)}
    assert counts(desk.ingest()) == {"unchanged": len(ALIKE)}
    texts = {document.text for document in desk.documents().values()}
    assert len(texts) == len(ALIKE)
    for i in range(len(ALIKE)):
        (found,) = desk.store.search_terms([f"note{i}"], 50)
        assert f"words of note{i}" in found.chunk.text
    # One of two that differ only by case, or by Unicode form, goes; the other stays.
    (desk.notes / "résumé.md").unlink()
    (desk.notes / unicodedata.normalize("NFD", "회의록.md")).unlink()
    report = desk.ingest()
    assert counts(report) == {"removed": 2, "unchanged": len(ALIKE) - 2}
    assert "RÉSUMÉ.MD" in desk.paths()
    assert "회의록.md" in desk.paths()


def test_renamed_by_case_or_unicode_form_alone(desk: Desk) -> None:
    desk.write("Notes/Résumé.md", "words")
    desk.ingest()
    (desk.notes / "Notes").rename(desk.notes / "notes")
    assert moves(desk.ingest()) == {"notes/Résumé.md": "Notes/Résumé.md"}
    decomposed = unicodedata.normalize("NFD", "Résumé.md")
    (desk.notes / "notes/Résumé.md").rename(desk.notes / "notes" / decomposed)
    assert moves(desk.ingest()) == {f"notes/{decomposed}": "notes/Résumé.md"}
    assert desk.paths() == [f"notes/{decomposed}"]


@pytest.mark.parametrize("has_chunks", [False, True])
@pytest.mark.parametrize("moves_on", [False, True])
def test_a_move_that_was_cut_off_is_seen_once_all_the_while(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, has_chunks: bool, moves_on: bool
) -> None:
    """Killed after the new row was announced, before or after its chunks were there."""
    desk.write("stays.md", "words that stay")
    path = desk.write("a.md", "the words that move")
    desk.ingest()
    path = path.rename(desk.notes / "b.md")
    part = Documents if has_chunks else Chunks

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(part, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            desk.ingest()
    if moves_on:
        path.rename(desk.notes / "c.md")
    seen: list[int] = []

    def look(event: object) -> None:
        seen.append(len(desk.store.search_terms(["move"], 9)))

    report = desk.ingest(on_event=look)
    name = "c.md" if moves_on else "b.md"
    assert moves(report) == {name: "a.md"}
    assert set(seen) == {1}
    assert desk.paths() == [name, "stays.md"]
    assert counts(desk.ingest()) == {"unchanged": 2}
