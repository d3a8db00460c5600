"""A store that no test changes, and one for each that does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kebab_core.store import Store
from tests.support.corpus import EMBEDDER, filled, stored, workspace


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store that no test changes."""
    documents = [
        stored("a.md", ["the cat sat", "dogs bark", "the cat sat"], EMBEDDER),
        stored("sub/b.md", ["birds sing"], EMBEDDER, title="B\ud800"),
        stored("empty.md", [], EMBEDDER),
        stored("broken.pdf", [], EMBEDDER, media="pdf", lang=None, error="no pages"),
    ]
    return filled(tmp_path_factory.mktemp("shared"), documents, EMBEDDER)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Store]:
    store = Store.open(workspace(tmp_path))
    store.create(EMBEDDER.id, EMBEDDER.dimensions)
    yield store
    store.close()
