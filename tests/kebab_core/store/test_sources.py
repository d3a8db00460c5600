"""Remembered roots, and who may see what is in them."""

from __future__ import annotations

from pathlib import Path

from kebab_core.store import StoredSource
from kebab_core.types import Filters, Scope
from tests.support.corpus import EMBEDDER, filled, stored


def test_sources_and_scope(tmp_path: Path) -> None:
    documents = [
        stored("a.md", ["cat"], EMBEDDER, source_id=source) for source in ("open", "team", "mine")
    ]
    store = filled(tmp_path, documents, EMBEDDER)
    store.set_source(StoredSource("open", "/open", "settings", ("*",)))
    store.set_source(StoredSource("team", "/ü 'x'", "settings", ("ann", "staff")))
    store.set_source(StoredSource("mine", "/mine", "command line"))
    assert [item.source_id for item in store.sources()] == ["mine", "open", "team"]
    assert store.sources()[2].path == "/ü 'x'"

    def seen(scope: Scope) -> set[str]:
        found = store.search_terms(["cat"], 9, Filters(), scope)
        near = store.search_vector(EMBEDDER.embed_query("cat"), 9, Filters(), scope)
        assert {f.chunk.source_id for f in found} == {f.chunk.source_id for f in near}
        return {f.chunk.source_id for f in found}

    assert seen(Scope()) == {"open", "team", "mine"}
    assert seen(Scope(frozenset({"ann"}))) == {"open", "team"}
    assert seen(Scope(frozenset({"bob"}))) == {"open"}
    assert seen(Scope(frozenset())) == {"open"}
    # A filter can't widen what may be seen.
    only_mine = Filters(source_ids=("mine",))
    assert store.search_terms(["cat"], 9, only_mine, Scope(frozenset({"ann"}))) == []
    store.remove_source("open")
    assert seen(Scope(frozenset({"bob"}))) == set()
    store.set_source(StoredSource("team", "/team", "settings"))
    assert seen(Scope(frozenset({"ann"}))) == set()
