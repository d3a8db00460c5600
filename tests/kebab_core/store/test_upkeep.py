"""Tables are tidied when it pays, and no reader notices."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kebab_core.store import Store
from tests.support.corpus import EMBEDDER, stored


def test_what_a_killed_writer_left_is_swept(fresh: Store) -> None:
    half = stored("half.md", ["lonely"], EMBEDDER)
    fresh.replace([stored("whole.md", ["cat"], EMBEDDER)])
    # As if killed after its chunks, before its row.
    fresh._chunks.replace([half], EMBEDDER.dimensions)
    assert fresh.counts() == (1, 2)
    fresh.optimize()
    assert fresh.counts() == (1, 1)
    assert fresh.search_terms(["lone"], 3) == []
    assert len(fresh.search_terms(["cat"], 3)) == 1


def test_upkeep_is_due_when_much_was_written(fresh: Store) -> None:
    fresh.replace([stored("a.md", ["x"], EMBEDDER)])
    assert not fresh.needs_upkeep()
    fresh.replace([stored("big.md", [f"word{i}" for i in range(600)], EMBEDDER)])
    assert fresh.needs_upkeep()
    fresh.optimize()
    assert not fresh.needs_upkeep()
    assert len(fresh.search_terms(["word17"], 3)) == 1


def test_upkeep_is_due_when_old_versions_fill_the_disk(fresh: Store) -> None:
    paragraphs = [f"word{i} " * 50 for i in range(40)]
    fresh.replace([stored("a.md", paragraphs, EMBEDDER)])
    fresh.optimize()
    tidy = fresh.stats().bytes
    rounds = 0
    while not fresh.needs_upkeep():
        rounds += 1
        fresh.replace([stored("a.md", [*paragraphs, f"round{rounds}"], EMBEDDER)])
        assert rounds < 60  # long before there are many commits
    assert fresh.stats().bytes < 2 * tidy + 2_000_000
    fresh.optimize()
    assert not fresh.needs_upkeep()
    assert fresh.stats().bytes < 2 * tidy
    assert len(fresh.search_terms([f"round{rounds}"], 3)) == 1


def test_what_tidying_did_is_logged(fresh: Store, caplog: pytest.LogCaptureFixture) -> None:
    fresh.replace([stored("a.md", ["cat"], EMBEDDER)])
    with caplog.at_level(logging.INFO, logger="kebab_core.store.upkeep"):
        fresh.optimize()
    assert "tidied the corpus in" in caplog.text


READER = """
import sys
from pathlib import Path
from kebab_core.store import Store
from tests.support.corpus import EMBEDDER, stored, workspace
store = Store.open(workspace(Path(sys.argv[1])))
doc = stored("a.md", []).document.doc_id
query = EMBEDDER.embed_query("alpha")
print("reading", flush=True)
rounds = 0
while not Path(sys.argv[2]).exists():
    for texts in (
        [chunk.text for chunk in store.chunks_of(doc)],
        [found.chunk.text for found in store.search_terms(["alpha"], 9)],
        [found.chunk.text for found in store.search_vector(query, 3)],
    ):
        versions = {text.split()[0] for text in texts}
        assert len(versions) == 1 and len(texts) == 3, texts
    assert len(store.documents(with_text=True)) == 1
    assert store.document_frequency("alpha") == 3
    rounds += 1
print(rounds, flush=True)
"""


def test_no_reader_notices_that_versions_go(fresh: Store, tmp_path: Path) -> None:
    """Another process reads all the time while each commit is tidied away after the next."""

    def write(n: int) -> None:
        fresh.replace([stored("a.md", [f"v{n} alpha {i}" for i in range(3)], EMBEDDER)])

    write(0)
    done = tmp_path / "done"
    argv = [sys.executable, "-c", READER, str(tmp_path), str(done)]
    repo = str(Path(__file__).parents[3])
    with subprocess.Popen(
        argv,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, PYTHONPATH=repo),
    ) as reader:
        assert reader.stdout is not None
        assert reader.stdout.readline() == "reading\n"
        for n in range(1, 25):
            write(n)
            fresh.optimize()
        done.touch()
        rounds, errors = reader.communicate(timeout=60)
    assert reader.returncode == 0, errors
    assert int(rounds) > 0
