"""A search over a real store: both channels, filters, warnings, and bad input."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kebab_core.errors import EmbedderUnavailable, InvalidInput, NotIndexed
from kebab_core.retrieve import search
from kebab_core.store import Store
from kebab_core.testing import HashEmbedder
from kebab_core.types import Filters, Scope, SearchMode, SearchOptions, SearchResult
from tests.support.corpus import EMBEDDER, filled, stored, workspace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


EVERYTHING = Filters()
OWNER = Scope()


class BrokenEmbedder(HashEmbedder):
    """A runtime that gives up."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        raise RuntimeError("out of memory")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    documents = [
        stored("hr/leave.md", ["Parental leave is 26 weeks.", "Give notice early."], EMBEDDER),
        stored("ops/backup.md", ["Backups run every night.", "Restores are tested."], EMBEDDER),
        stored("ko.md", ["비밀번호를 재설정하려면 관리자에게 문의하세요."], EMBEDDER, lang="ko"),
        stored("code.py", ["def get_user_by_id(): ..."], EMBEDDER, media="code", lang=None),
    ]
    return filled(tmp_path_factory.mktemp("search"), documents, EMBEDDER)


def find(
    store: Store,
    query: str,
    *,
    mode: SearchMode = "hybrid",
    embedder: HashEmbedder | None = EMBEDDER,
    k: int = 3,
    filters: Filters = EVERYTHING,
    scope: Scope = OWNER,
) -> SearchResult:
    options = SearchOptions(k=k, mode=mode, filters=filters, scope=scope)
    return search(store, embedder, query, options, stale_after_days=10_000)


def paths(result: SearchResult) -> list[str]:
    return [hit.chunk.doc_path for hit in result.hits]


@pytest.mark.parametrize(
    ("mode", "kind"), [("lexical", "bm25"), ("vector", "cosine"), ("hybrid", "convex")]
)
def test_each_mode_finds_it_and_says_how(store: Store, mode: SearchMode, kind: str) -> None:
    result = find(store, "how long is parental leave", mode=mode)
    best = result.hits[0]
    assert best.chunk.text == "Parental leave is 26 weeks."
    assert (best.rank, best.score_kind, result.mode, result.limited) == (1, kind, mode, False)
    assert (best.lexical_rank is None) == (mode == "vector")
    assert (best.vector_rank is None) == (mode == "lexical")
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("query", "path"),
    [("비밀번호", "ko.md"), ("user by id", "code.py"), ("get_user_by_id", "code.py")],
)
def test_words_of_any_script_and_parts_of_names_are_found(
    store: Store, query: str, path: str
) -> None:
    assert paths(find(store, query, mode="lexical"))[0] == path


def test_without_an_embedder_hybrid_is_lexical_and_says_so(store: Store) -> None:
    result = find(store, "backups", embedder=None)
    assert (result.mode, result.limited) == ("lexical", True)
    assert "lexical only" in result.warnings[0]
    with pytest.raises(EmbedderUnavailable) as raised:
        find(store, "backups", mode="vector", embedder=None)
    assert "kebab models install" in (raised.value.hint or "")


def test_an_embedder_that_fails_costs_its_channel_only(store: Store) -> None:
    result = find(store, "backups", embedder=BrokenEmbedder(32))
    assert paths(result)[0] == "ops/backup.md"
    assert result.limited
    assert "out of memory" in result.warnings[0]
    with pytest.raises(EmbedderUnavailable):
        find(store, "backups", mode="vector", embedder=BrokenEmbedder(32))


def test_an_embedder_that_cannot_read_the_language_stands_aside(store: Store) -> None:
    english = HashEmbedder(32, languages=["en"])
    result = find(store, "비밀번호를 어떻게 재설정하나요?", embedder=english)
    assert paths(result) == ["ko.md"]
    assert result.limited
    assert "not trained on the language" in result.warnings[0]
    assert not find(store, "parental leave", embedder=english).warnings


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(path_globs=("ops/*",)), {"ops/backup.md"}),
        (Filters(media=("code",)), {"code.py"}),
        (Filters(langs=("ko",)), {"ko.md"}),
        (Filters(source_ids=("elsewhere",)), set()),
        (Filters(path_globs=("' OR 1=1 --",)), set()),
    ],
)
def test_filters_narrow_before_the_top_k(
    store: Store, filters: Filters, expected: set[str]
) -> None:
    for mode in ("lexical", "vector", "hybrid"):
        found = set(
            paths(find(store, "backups leave get user 비밀번호", mode=mode, filters=filters))
        )
        assert found == expected


def test_who_may_read_no_source_finds_nothing(store: Store) -> None:
    assert find(store, "backups", scope=Scope(readers=frozenset({"mallory"}))).hits == ()


def test_the_same_search_twice_is_the_same(store: Store) -> None:
    assert find(store, "leave notice backups", k=8) == find(store, "leave notice backups", k=8)


@pytest.mark.parametrize("query", ["", "   ", "\n\t", "\x00", "\ud800"])
def test_an_empty_query_is_refused(store: Store, query: str) -> None:
    with pytest.raises(InvalidInput):
        find(store, query)


def test_an_overlong_query_and_an_odd_k_are_refused(store: Store) -> None:
    with pytest.raises(InvalidInput, match="at most"):
        find(store, "x" * 8_001)
    with pytest.raises(InvalidInput, match="k is 0"):
        find(store, "x", k=0)


@pytest.mark.parametrize(
    "query",
    ['"', "a OR b", "foo*", "'; DROP TABLE chunks; --", "a\ud800", "+-&|!(){}[]^~?:\\", "的"],
)
def test_any_query_is_data(store: Store, query: str) -> None:
    for mode in ("lexical", "vector", "hybrid"):
        assert len(find(store, query, mode=mode).hits) <= 3


@pytest.mark.parametrize("documents", [[], [stored("empty.md", [], EMBEDDER)]])
def test_an_empty_corpus_is_not_indexed(tmp_path: Path, documents: Sequence[object]) -> None:
    store = filled(tmp_path, documents, EMBEDDER)  # type: ignore[arg-type]
    with pytest.raises(NotIndexed):
        find(store, "anything")
    with pytest.raises(NotIndexed):
        find(Store.open(workspace(tmp_path / "none")), "anything")
