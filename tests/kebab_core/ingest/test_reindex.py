"""The whole corpus again, for another model: beside the old one, and gone on with when cut off."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kebab_core.errors import IndexIncompatible, InvalidInput, NotIndexed
from kebab_core.knowledge_base import KnowledgeBase
from kebab_core.store import Store
from kebab_core.testing import HashEmbedder
from kebab_core.types import AssetFinished, IngestEvent, SearchOptions
from tests.kebab_core.ingest.conftest import Desk
from tests.kebab_core.ingest.test_moves import CountingEmbedder, counts
from tests.kebab_core.ingest.test_runs import REPO, contents, many


class Other(CountingEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.id = "other@64"


def test_another_model_is_refused_by_name(desk: Desk) -> None:
    many(desk, 3)
    desk.ingest()
    desk.embedder = HashEmbedder(32)
    for force in (False, True):  # with a path, the rest would be lost
        with pytest.raises(IndexIncompatible, match=r"hash@64.*hash@32") as caught:
            desk.ingest(desk.notes, force=force)
        assert "`kebab reindex`" in (caught.value.hint or "")
    with pytest.raises(IndexIncompatible, match=r"hash@64.*hash@32"):
        desk.ingest(everything=True)


@pytest.mark.parametrize("option", ["anew", "force"])
def test_all_is_indexed_again_and_takes_the_place_of_the_old(desk: Desk, option: str) -> None:
    many(desk, 3)
    desk.ingest()
    desk.embedder = embedder = HashEmbedder(32)
    dry = desk.ingest(everything=True, dry_run=True, **{option: True})  # type: ignore[arg-type]
    assert counts(dry) == {"updated": 3}
    assert desk.store.beside_meta is None
    report = desk.ingest(everything=True, **{option: True})  # type: ignore[arg-type]
    assert counts(report) == {"updated": 3}
    assert report.embeddings_computed == 3
    assert desk.store.meta is not None
    assert (desk.store.meta.embedding_id, desk.store.meta.dimensions) == ("hash@32", 32)
    assert desk.store.counts() == (3, 3)
    found = desk.store.search_vector(embedder.embed_query("topic2"), 1)
    assert found[0].chunk.doc_path == "002.md"
    assert counts(desk.ingest(everything=True)) == {"unchanged": 3}
    assert counts(desk.ingest()) == {"unchanged": 3}


def test_the_same_model_can_be_indexed_anew_too(desk: Desk) -> None:
    desk.embedder = embedder = CountingEmbedder()
    many(desk, 3)
    desk.ingest()
    embedder.texts.clear()
    assert counts(desk.ingest(everything=True, anew=True)) == {"updated": 3}
    assert len(embedder.texts) == 3
    assert desk.store.counts() == (3, 3)


def test_without_a_corpus_there_is_nothing_to_index_anew(desk: Desk) -> None:
    with pytest.raises(NotIndexed):
        desk.ingest(everything=True, anew=True)


def test_what_cant_be_read_now_is_not_lost(desk: Desk, tmp_path: Path) -> None:
    many(desk, 3)
    single = tmp_path / "single.md"
    single.write_text("a file by itself")
    desk.ingest(desk.notes, single)
    desk.embedder = HashEmbedder(32)
    desk.notes.rename(tmp_path / "away")
    with pytest.raises(InvalidInput, match="3 documents can't be read now"):
        desk.ingest(everything=True, anew=True)
    assert desk.store.counts() == (4, 4)
    assert desk.store.meta is not None
    assert desk.store.meta.embedding_id == "hash@64"
    (tmp_path / "away").rename(desk.notes)
    assert counts(desk.ingest(everything=True, anew=True)) == {"updated": 4}


def test_a_file_that_vanishes_meanwhile_holds_the_change_up(desk: Desk) -> None:
    many(desk, 3)
    desk.ingest()
    desk.embedder = HashEmbedder(32)

    def lose(event: IngestEvent) -> None:
        if type(event).__name__ == "ScanCompleted":
            (desk.notes / "002.md").unlink()

    with pytest.raises(InvalidInput, match="1 documents can't be read now"):
        desk.ingest(everything=True, anew=True, on_event=lose)
    assert desk.store.meta is not None
    assert desk.store.meta.embedding_id == "hash@64"
    # Now it is known to be gone.
    report = desk.ingest(everything=True, anew=True)
    assert counts(report) == {"unchanged": 2}
    assert desk.paths() == ["000.md", "001.md"]


def test_stopped_it_goes_on_and_the_old_is_searched_until_then(desk: Desk) -> None:
    many(desk, 200)
    desk.ingest()
    old = desk.embedder
    assert old is not None
    desk.embedder = Other()
    stop = threading.Event()

    def watch(event: IngestEvent) -> None:
        if isinstance(event, AssetFinished):
            stop.set()

    report = desk.ingest(everything=True, anew=True, cancelled=stop.is_set, on_event=watch)
    assert report.aborted == "cancelled"
    assert 0 < report.updated < 200
    reader = Store.open(desk.workspace)
    assert reader.counts() == (200, 200)
    assert reader.search_vector(old.embed_query("topic7"), 1)[0].chunk.doc_path == "007.md"
    # Meanwhile the old corpus may still be written with its own model.
    desk.embedder = old
    desk.write("new.md", "written meanwhile")
    assert counts(desk.ingest(everything=True)) == {"new": 1, "unchanged": 200}
    desk.embedder = other = Other()
    again = desk.ingest(everything=True, anew=True)
    assert again.updated == 201 - report.updated
    assert len(other.texts) == again.updated
    assert reader.counts() == (201, 201)
    assert reader.meta is not None
    assert reader.meta.embedding_id == "other@64"


PROGRAM = """
import sys
from pathlib import Path
from kebab_core.ingest import ingest
from kebab_core.paths import Workspace
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.model import Settings
from kebab_core.settings.state import UserState
from kebab_core.store import Store
from kebab_core.testing import HashEmbedder
from kebab_core.types import IngestOptions

workspace = Workspace("test", Path(sys.argv[1]))
ingest(
    Store.open(workspace), HashEmbedder(32), [], IngestOptions(anew=True),
    Configuration(settings=Settings(), workspace=workspace, state=UserState.open()),
    on_event=lambda event: print(type(event).__name__, flush=True), cancelled=lambda: False,
)
"""


def test_killed_amid_it_goes_on(desk: Desk) -> None:
    many(desk, 150)
    desk.ingest()
    before = contents(desk.store)
    old = desk.embedder
    assert old is not None
    argv = [sys.executable, "-c", PROGRAM, str(desk.workspace.directory)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, cwd=REPO) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("AssetFinished"):
                os.kill(process.pid, signal.SIGKILL)
                break
    assert contents(desk.store) == before
    assert desk.store.search_vector(old.embed_query("topic7"), 1)[0].chunk.doc_path == "007.md"
    done = desk.store.beside().counts()[0]
    assert 0 < done < 150
    desk.embedder = HashEmbedder(32)
    report = desk.ingest(everything=True, anew=True)
    assert counts(report) == {"unchanged": done, "updated": 150 - done}
    assert contents(desk.store) == before
    assert desk.store.meta is not None
    assert desk.store.meta.embedding_id == "hash@32"


def test_whoever_has_the_new_model_already_searches_by_words_until_it_is_done(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(desk, 3)
    desk.ingest()
    desk.embedder = HashEmbedder(32)
    base = KnowledgeBase.open(desk.configuration())
    monkeypatch.setattr(base, "_embedder", desk.embedder)
    with pytest.raises(IndexIncompatible, match=r"hash@64.*hash@32"):
        base.find("topic1", SearchOptions())
    desk.ingest(everything=True, anew=True, cancelled=lambda: True)
    assert base.store.beside_meta is not None
    result = base.find("topic1", SearchOptions())
    assert result.hits[0].chunk.doc_path == "001.md"
    assert result.limited
    assert any("kebab reindex" in warning for warning in result.warnings)
    assert [check.name for check in base.doctor().checks if not check.ok].count("re-indexing") == 1
    desk.ingest(everything=True, anew=True)
    result = base.find("topic1", SearchOptions())
    assert result.hits[0].chunk.doc_path == "001.md"
    assert not result.limited
