"""A real store: what goes in comes out, whole, and only whole."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from kebab_core.errors import IndexIncompatible, NotIndexed
from kebab_core.store import Store, StoredDocument, documents
from tests.support.corpus import EMBEDDER, WHEN, stored, workspace


def test_nothing_there(tmp_path: Path) -> None:
    store = Store.open(workspace(tmp_path / "none"))
    assert not store.exists()
    assert store.meta is None
    assert store.sources() == []
    for read in (
        store.counts,
        store.documents,
        store.stats,
        store.needs_upkeep,
        store.optimize,
        lambda: store.revision,
        lambda: store.chunk("x"),
        lambda: store.check("x"),
        lambda: store.search_terms(["x"], 3),
        lambda: store.search_vector(np.zeros(3, dtype=np.float32), 3),
        lambda: store.replace([stored("a.md", ["a"])]),
    ):
        with pytest.raises(NotIndexed, match="'test' has no corpus"):
            read()
    assert not (tmp_path / "none" / "store").exists()


def test_looking_for_a_corpus_loads_nothing(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from kebab_core.store import Store; "
        "from kebab_core.paths import Workspace; "
        f"store = Store.open(Workspace('w', Path({str(tmp_path)!r}))); "
        "assert not store.exists() and store.meta is None and not store.sources(); "
        "assert not {'lancedb', 'pyarrow', 'numpy'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_goes_in_comes_out(shared: Store) -> None:
    written = stored("a.md", ["the cat sat", "dogs bark", "the cat sat"], EMBEDDER)
    assert shared.document(written.document.doc_id) == written.document
    kept = [replace(chunk, embed_text="") for chunk in written.chunks]
    assert shared.chunks_of(written.document.doc_id) == kept
    assert shared.chunk(kept[1].chunk_id) == kept[1]
    assert shared.document("nope") is None
    assert shared.chunk("nope") is None
    assert shared.counts() == (4, 4)


def test_documents_come_without_text_unless_asked(shared: Store) -> None:
    by_path = {item.doc_path: item for item in shared.documents()}
    assert set(by_path) == {"a.md", "sub/b.md", "empty.md", "broken.pdf"}
    assert {item.text for item in by_path.values()} == {""}
    assert by_path["broken.pdf"].error == "no pages"
    with_text = {item.doc_path: item.text for item in shared.documents(with_text=True)}
    assert with_text["sub/b.md"] == "birds sing"
    assert shared.documents(source_ids=["other"]) == []
    some = shared.documents(doc_ids=[by_path["a.md"].doc_id, "nope"])
    assert [item.doc_path for item in some] == ["a.md"]


def test_lone_surrogates_survive_where_they_matter(fresh: Store) -> None:
    path = "/home/caf\udce9.md"
    item = stored(
        "a.md", ["broken \ud83d text \x00 end"], EMBEDDER, file_path=path, title="t\udc00"
    )
    fresh.replace([item])
    document = fresh.document(item.document.doc_id)
    assert document is not None
    assert (document.text, document.file_path) == (item.document.text, path)
    assert document.title == "t\ufffd"
    assert fresh.chunks_of(document.doc_id)[0].text == item.chunks[0].text
    assert len(fresh.search_terms(["text"], 3)) == 1


def test_stats(shared: Store) -> None:
    stats = shared.stats()
    assert (stats.documents, stats.chunks, stats.failing) == (4, 4, 1)
    assert stats.by_media == {"markdown": 3}
    assert stats.by_lang == {"en": 3}
    assert stats.bytes > 1000
    assert stats.last_ingest_at == WHEN
    assert stats.revision == shared.revision


def test_replacing_deletes_stale_chunks_of_that_document_alone(fresh: Store) -> None:
    fresh.replace(
        [
            stored("a.md", ["one", "two", "three"], EMBEDDER),
            stored("b.md", ["one", "four"], EMBEDDER),
        ]
    )
    before = fresh.revision
    fresh.replace([stored("a.md", ["three", "new"], EMBEDDER)])
    doc = stored("a.md", []).document.doc_id
    assert [chunk.text for chunk in fresh.chunks_of(doc)] == ["three", "new"]
    assert fresh.counts() == (2, 4)
    assert fresh.search_terms(["two"], 3) == []
    assert fresh.revision > before
    # A document that has become empty keeps its row and loses its chunks.
    fresh.replace([stored("a.md", [], EMBEDDER)])
    assert fresh.counts() == (2, 2)
    fresh.replace([])
    assert fresh.counts() == (2, 2)


def test_one_commit_a_table_however_large_the_batch(fresh: Store) -> None:
    before = fresh.revision
    fresh.replace([stored(f"{i}.md", ["x", "y"], EMBEDDER) for i in range(40)])
    assert fresh.revision == before + 2  # chunks and documents


def test_a_batch_that_is_wrong_changes_nothing(fresh: Store) -> None:
    good = stored("a.md", ["one"], EMBEDDER)
    with pytest.raises(ValueError, match="twice"):
        fresh.replace([good, good])
    with pytest.raises(ValueError, match="shape"):
        fresh.replace([StoredDocument(good.document, good.chunks, np.zeros((1, 5), np.float32))])
    assert fresh.counts() == (0, 0)


def test_new_chunks_are_found_at_once(fresh: Store) -> None:
    """The indices were made over no rows, and nothing has optimised them since."""
    for round_ in range(3):
        item = stored(f"{round_}.md", [f"zebra{round_} common"], EMBEDDER)
        fresh.replace([item])
        assert [f.chunk.text for f in fresh.search_terms([f"zebra{round_}"], 5)]
        assert len(fresh.search_terms(["common"], 10)) == round_ + 1
        near = fresh.search_vector(EMBEDDER.embed_query(f"zebra{round_}"), 1)
        assert near[0].chunk.doc_path == f"{round_}.md"
    fresh.optimize()
    assert len(fresh.search_terms(["common"], 10)) == 3
    fresh.replace([stored("1.md", ["quagga common"], EMBEDDER)])
    assert fresh.search_terms(["zebra1"], 5) == []
    assert len(fresh.search_terms(["common"], 10)) == 3


def test_chunks_without_vectors_are_found_by_words_alone(fresh: Store) -> None:
    bad = stored("bad.md", ["cat"], EMBEDDER)
    nan = np.full((1, EMBEDDER.dimensions), np.nan, dtype=np.float32)
    fresh.replace(
        [
            stored("with.md", ["cat"], EMBEDDER),
            stored("without.md", ["cat", "dog"]),
            StoredDocument(bad.document, bad.chunks, nan),
        ]
    )
    assert {f.chunk.doc_path for f in fresh.search_terms(["cat"], 9)} == {
        "with.md",
        "without.md",
        "bad.md",
    }
    assert [f.chunk.doc_path for f in fresh.search_vector(EMBEDDER.embed_query("cat"), 9)] == [
        "with.md"
    ]


def test_scores(fresh: Store) -> None:
    fresh.replace([stored("a.md", ["cat", "cat dog", "dog"], EMBEDDER)])
    near = fresh.search_vector(EMBEDDER.embed_query("cat"), 3)
    assert [f.chunk.text for f in near][:2] == ["cat", "cat dog"]
    assert near[0].score == pytest.approx(1, abs=1e-5)
    assert near[1].score == pytest.approx(0.5**0.5, abs=1e-5)
    words = fresh.search_terms(["cat", "dog"], 3)
    assert words[0].chunk.text == "cat dog"
    assert words[0].terms == "cat dog"
    assert words[1].score == pytest.approx(words[2].score)
    # Equal scores are in the order of ids, in every search.
    assert words[1].chunk.chunk_id < words[2].chunk.chunk_id
    assert fresh.search_terms([], 3) == []


def test_a_vector_of_another_width(shared: Store) -> None:
    with pytest.raises(IndexIncompatible, match=r"5 dimensions.*32 \(hash@32\)"):
        shared.search_vector(np.zeros(5, dtype=np.float32), 3)


def test_vectors_are_the_cache(shared: Store) -> None:
    chunk = stored("a.md", ["dogs bark"]).chunks[0]
    found = shared.vectors([chunk.embed_hash, chunk.embed_hash, "nope"])
    assert set(found) == {chunk.embed_hash}
    vector = found[chunk.embed_hash]
    assert vector.dtype == np.float32
    assert vector == pytest.approx(EMBEDDER.embed_query("dogs bark"))
    assert shared.vectors([]) == {}


def test_remove(fresh: Store) -> None:
    fresh.replace([stored(f"{i}.md", ["same words"], EMBEDDER) for i in range(3)])
    gone = stored("1.md", []).document.doc_id
    fresh.remove([gone, "nope"])
    fresh.remove([])
    assert fresh.counts() == (2, 2)
    assert fresh.document(gone) is None
    assert fresh.chunks_of(gone) == []
    assert len(fresh.search_terms(["word"], 9)) == 2


def test_a_moved_document_leaves_its_old_place_in_the_same_commit(fresh: Store) -> None:
    old, other = stored("old.md", ["cat sat"], EMBEDDER), stored("other.md", ["dog"], EMBEDDER)
    fresh.replace([old, other])
    new = stored("new.md", ["cat sat"], EMBEDDER)
    fresh.replace([new], moved={new.document.doc_id: [old.document.doc_id]})
    assert fresh.counts() == (2, 2)
    assert {item.doc_path for item in fresh.documents()} == {"new.md", "other.md"}
    assert [found.chunk.doc_path for found in fresh.search_terms(["cat"], 9)] == ["new.md"]
    assert fresh.document(new.document.doc_id) == new.document
    assert fresh.document(old.document.doc_id) is None


def test_a_move_that_is_cut_off_is_found_and_done_again(
    fresh: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = stored("old.md", ["cat sat"], EMBEDDER)
    fresh.replace([old])
    new = stored("new.md", ["cat sat"], EMBEDDER)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(documents.Documents, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            fresh.replace([new], moved={new.document.doc_id: [old.document.doc_id]})
    (found,) = fresh.search_terms(["cat"], 9)
    row = fresh.document(found.chunk.doc_id)
    assert row is not None
    assert (row.doc_path, row.chunker_version) == ("new.md", "")


def test_verify_touches_nothing_but_the_stat(fresh: Store) -> None:
    items = [stored(f"{i}.md", ["text"], EMBEDDER, page_starts=(0, 3)) for i in range(4)]
    fresh.replace(items)
    before = fresh.revision
    later = WHEN + timedelta(days=3, microseconds=123_456)
    ids = [item.document.doc_id for item in items]
    fresh.verify([ids[0], "nope"], [(ids[2], 9, 1002), (ids[1], 8, 1001), ("nope", 1, 1)], at=later)
    assert fresh.revision == before + 2
    same, small, large, unseen = (item.document for item in items)
    assert [fresh.document(doc_id) for doc_id in ids] == [
        replace(same, verified_at=later),
        replace(small, verified_at=later, mtime_ns=8, byte_len=1001),
        replace(large, verified_at=later, mtime_ns=9, byte_len=1002),
        unseen,
    ]
    fresh.verify([], at=later)
    fresh.verify([], [("nope", 1, 1)], at=later)
    assert fresh.revision == before + 2


def test_verify_of_a_few_among_very_many(fresh: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "IN_LIST", 2)
    items = [stored(f"{i}.md", [], EMBEDDER) for i in range(9)]
    fresh.replace(items)
    later = WHEN + timedelta(days=3)
    seen = {item.document.doc_id for item in items[:5]}
    fresh.verify(seen, at=later)
    assert {item.doc_id for item in fresh.documents() if item.verified_at == later} == seen
    assert {item.verified_at for item in fresh.documents()} == {WHEN, later}


def test_states_are_the_documents_in_short(shared: Store) -> None:
    by_id = {item.doc_id: item for item in shared.documents()}
    states = shared.states()
    assert {state.doc_id for state in states} == set(by_id)
    for state in states:
        document = by_id[state.doc_id]
        for name in state._fields[:-1]:
            assert getattr(state, name) == getattr(document, name)
        assert state.verified_ns == int(document.verified_at.timestamp()) * 1_000_000_000


def test_a_reader_sees_the_commits_of_another_store(fresh: Store, tmp_path: Path) -> None:
    reader = Store.open(workspace(tmp_path))
    assert reader.counts() == (0, 0)
    assert reader.documents(doc_ids=[stored("a.md", []).document.doc_id]) == []
    fresh.replace([stored("a.md", ["cat"], EMBEDDER)])
    assert reader.counts() == (1, 1)
    assert len(reader.documents(doc_ids=[stored("a.md", []).document.doc_id])) == 1
    assert len(reader.search_terms(["cat"], 3)) == 1


def test_a_reader_never_sees_half_a_document(fresh: Store, tmp_path: Path) -> None:
    """While a document of three chunks changes its words, all three change at once."""
    versions = [[f"w{i} alpha", f"w{i} beta", f"w{i} gamma"] for i in range(12)]
    fresh.replace([stored("a.md", versions[0], EMBEDDER)])
    doc = stored("a.md", []).document.doc_id
    halves: list[set[str]] = []
    done = threading.Event()

    def read() -> None:
        reader = Store.open(workspace(tmp_path))
        while not done.is_set():
            for texts in (
                [chunk.text for chunk in reader.chunks_of(doc)],
                [f.chunk.text for f in reader.search_terms(["alpha", "beta", "gamma"], 9)],
            ):
                words = {text.split()[0] for text in texts}
                if len(words) != 1 or len(texts) != 3:
                    halves.append(set(texts))

    thread = threading.Thread(target=read)
    thread.start()
    try:
        for paragraphs in versions[1:]:
            fresh.replace([stored("a.md", paragraphs, EMBEDDER)])
    finally:
        done.set()
        thread.join()
    assert halves == []
