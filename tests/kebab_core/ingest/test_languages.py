"""A model that can't read the documents says so, once."""

from __future__ import annotations

import pytest

from kebab_core.ingest.languages import Languages
from kebab_core.testing import HashEmbedder

ENGLISH = HashEmbedder(8, languages=["en"])


def warned(embedder: HashEmbedder | None, *languages: str | None) -> str | None:
    counted = Languages(embedder)
    for lang in languages:
        counted.count(lang)
    return counted.warning()


def test_the_languages_and_the_setting_are_named() -> None:
    said = warned(ENGLISH, "ko", "ko", "de", "en", None)
    assert said is not None
    assert "3 documents are" in said
    assert "(ko, de)" in said
    assert "[embedding]" in said


@pytest.mark.parametrize("languages", [(), ("en",), (None, None), ("de", *["en"] * 9)])
def test_few_or_none_are_not_worth_a_word(languages: tuple[str | None, ...]) -> None:
    assert warned(ENGLISH, *languages) is None


def test_a_model_that_reads_all_and_none_at_all() -> None:
    assert warned(HashEmbedder(8), "ko", "ko") is None
    assert warned(None, "ko", "ko") is None
