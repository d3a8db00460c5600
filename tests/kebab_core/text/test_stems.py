from __future__ import annotations

import threading

import pytest

from kebab_core.text.stems import fold, stem


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("ÉCOLE", "ecole"),
        ("Größe", "grosse"),
        ("Łódź", "lodz"),
        ("İstanbul", "istanbul"),
        ("Æsir", "aesir"),
        ("Ελλάδα", "ελλαδα"),
        ("Ёлка", "елка"),
        ("Чайник", "чайник"),  # й is a letter of its own, not an accented и
        ("שָׁלוֹם", "שלום"),
        ("٢٠٢٤", "2024"),
        ("パス", "パス"),
    ],
)
def test_fold(word: str, folded: str) -> None:
    assert fold(word) == folded


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("running", "run"),
        ("policies", "polici"),
        ("is", "is"),
        ("123", "123"),
        ("пароли", "парол"),
        ("ქართული", "ქართული"),  # no stemmer for Georgian
    ],
)
def test_stem(word: str, stemmed: str) -> None:
    assert stem(word) == stemmed


def test_threads_do_not_share_a_stemmer() -> None:
    words = ["relational", "generously", "formality", "hopefulness"] * 200
    expected = [stem(word) for word in words]
    results: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda: results.append([stem(word) for word in words]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4
