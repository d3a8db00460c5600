"""A writer killed at any moment leaves whole documents, and the next one goes on."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kebab_core.store import Store
from tests.support.corpus import EMBEDDER, filled, stored, workspace

WRITER = """
import sys
from pathlib import Path
from kebab_core.store import Store
from tests.support.corpus import EMBEDDER, stored, workspace
store = Store.open(workspace(Path(sys.argv[1])))
for n in range(10_000):
    store.replace(
        [stored(f"{i}.md", [f"v{n} p{j} of {i}" for j in range(3)], EMBEDDER) for i in range(20)]
    )
    if n % 3 == 2:
        store.optimize()
    print(n, flush=True)
"""


@pytest.mark.long
@pytest.mark.timeout(900)
def test_killed_at_any_moment(tmp_path: Path) -> None:
    filled(tmp_path, [stored("0.md", ["first"], EMBEDDER)], EMBEDDER)
    repo = str(Path(__file__).parents[3])
    lot = random.Random(1)
    for _ in range(12):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)],
            stdout=subprocess.PIPE,
            env=dict(os.environ, PYTHONPATH=repo),
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(lot.uniform(0, 0.5))
            writer.kill()
        store = Store.open(workspace(tmp_path))
        for document in store.documents(with_text=True):
            chunks = store.chunks_of(document.doc_id)
            assert len(chunks) == document.chunk_count
            # One version of the document, never parts of two.
            assert len({chunk.text.split()[0] for chunk in chunks}) == 1
        store.replace([stored("mine.md", ["written after the kill"], EMBEDDER)])
        store.optimize()
        assert len(store.search_terms(["kill"], 5)) == 1
        documents, chunks_in_all = store.counts()
        assert chunks_in_all == sum(item.chunk_count for item in store.documents())
        assert documents == 21
