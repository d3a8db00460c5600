"""What each channel is worth, by what it found."""

from __future__ import annotations

from pathlib import Path

import pytest

from kebab_core.retrieve import search
from kebab_core.store import Store
from kebab_core.testing import HashEmbedder
from kebab_core.types import SearchOptions, SearchResult
from tests.support.corpus import filled, stored

ENGLISH = HashEmbedder(32, languages=["en"])
GERMAN = ["Die Kündigungsfrist beträgt vier Wochen.", "Die Sicherung läuft jede Nacht."]


def corpus(directory: Path, *languages: str) -> Store:
    texts = {"de": GERMAN, "en": ["The backup runs every night.", "Four weeks is the notice."]}
    documents = [stored(f"{lang}.md", texts[lang], ENGLISH, lang=lang) for lang in languages]
    return filled(directory, documents, ENGLISH)


def find(store: Store, query: str) -> SearchResult:
    return search(store, ENGLISH, query, SearchOptions(k=3), stale_after_days=10_000)


def test_passages_that_the_embedder_cannot_read_are_found_by_their_words(tmp_path: Path) -> None:
    # Two words tell no language: the query alone doesn't stop the embedder.
    result = find(corpus(tmp_path, "de"), "Kündigungsfrist Wochen")
    assert (result.mode, result.limited) == ("lexical", True)
    assert result.hits[0].chunk.text == GERMAN[0]
    assert "passages found (de)" in result.warnings[0]


def test_in_a_mixed_corpus_each_passage_is_weighed_by_its_language(tmp_path: Path) -> None:
    result = find(corpus(tmp_path, "de", "en"), "backup night")
    assert (result.mode, result.limited) == ("hybrid", False)
    assert {hit.chunk.lang for hit in result.hits if hit.vector_rank is not None} == {"en"}
    assert any("2 passages in de left out" in note for note in result.notes)


@pytest.mark.parametrize(
    ("query", "weight"), [("backup runs every night", "0.50"), ("zebra unicorn backup moon", "0.")]
)
def test_words_count_by_how_much_of_the_query_they_meet(
    tmp_path: Path, query: str, weight: str
) -> None:
    result = find(corpus(tmp_path, "en"), query)
    note = next(note for note in result.notes if note.startswith("weights"))
    assert f"words {weight}" in note
    assert ("words 0.50" in note) == (weight == "0.50")


def test_quotes_must_be_met_to_the_letter(tmp_path: Path) -> None:
    store = corpus(tmp_path, "en")
    assert [hit.chunk.ordinal for hit in find(store, '"four weeks"').hits] == [1]
    assert not find(store, '"four weeks"').warnings
    loose = find(store, '"weeks four" of notice')
    assert loose.hits[0].chunk.ordinal == 1
    assert "No passage holds “weeks four”" in loose.warnings[0]
