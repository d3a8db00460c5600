"""How common a term is."""

from __future__ import annotations

import pytest

from kebab_core.store import Store, frequencies
from tests.support.corpus import EMBEDDER, stored


def test_document_frequency(shared: Store) -> None:
    assert shared.document_frequency("cat") == 2
    assert shared.document_frequency("ca") == 0
    assert shared.document_frequency("nope") == 0
    assert shared.document_frequencies(["bird", "dog"]) == ({"bird": 1, "dog": 1}, 4)


def test_counts_follow_the_corpus(fresh: Store) -> None:
    assert fresh.document_frequencies(["cat"]) == ({"cat": 0}, 0)
    fresh.replace([stored("a.md", ["cat cat", "dog"], EMBEDDER)])
    assert fresh.document_frequencies(["cat"]) == ({"cat": 1}, 2)
    fresh.replace([stored("a.md", ["dog"], EMBEDDER)])
    assert fresh.document_frequencies(["cat"]) == ({"cat": 0}, 1)


def test_a_large_corpus_is_sampled(fresh: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh.replace([stored("gone.md", [f"gone{i}" for i in range(50)], EMBEDDER)])
    paragraphs = [f"all {'third' if i % 3 == 0 else 'other'} only{i}" for i in range(300)]
    fresh.replace([stored("a.md", paragraphs, EMBEDDER), stored("gone.md", [], EMBEDDER)])
    monkeypatch.setattr(frequencies, "SAMPLE", 100)
    counts, total = fresh.document_frequencies(["all", "third", "only17", "nowhere"])
    assert total == 300
    assert counts["all"] == 300
    assert 60 <= counts["third"] <= 140
    # Seen in one sampled chunk or in none: as rare as can be told.
    assert 1 <= counts["only17"] <= 3
    assert 1 <= counts["nowhere"] <= 3


@pytest.mark.parametrize("term", [" ", "", "a b", "%", "_", "\\", "c++", "한국", "'"])
def test_a_term_is_data(fresh: Store, term: str) -> None:
    fresh.replace([stored("a.md", ["C++ and 한국 tools"], EMBEDDER)])
    expected = 1 if term in {"c++", "한국"} else 0
    assert fresh.document_frequency(term) == expected
