"""Full text as this product needs it: every term is data, in every script."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kebab_core.store import Store
from kebab_core.store.chunks import parted
from kebab_core.text.terms import index_terms, query_terms
from tests.support.corpus import EMBEDDER, filled, stored

TEXTS = [
    "The password of get_user_by_id is reset in version 1.0.21 (ERR-4012).",
    "비밀번호를 재설정하는 방법을 알려 드립니다.",
    "数据库连接失败时应重试三次。",
    "パスワードを再設定する方法。",
    "Größere Häuser in Straßen; naïve café.",
    'C++ AND C# OR NOT "quoted" +plus -minus *star ~tilde ^caret (paren) field:value',
    "ภาษาไทยไม่มีช่องว่าง",
]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Store:
    documents = [stored(f"{i}.md", [text], EMBEDDER) for i, text in enumerate(TEXTS)]
    return filled(tmp_path_factory.mktemp("texts"), documents, EMBEDDER)


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("how are passwords reset?", 0),
        ("user", 0),
        ("ERR-4012", 0),
        ("1.0", 0),
        ("비밀번호", 1),
        ("连接数据库", 2),
        ("再設定", 3),
        ("grossere STRASSEN", 4),
        ("CAFE", 4),
        ("C++", 5),
        ("field:value", 5),
        ("ช่องว่าง", 6),
    ],
)
def test_every_script_is_found(texts: Store, query: str, number: int) -> None:
    found = texts.search_terms(query_terms(query), 3)
    assert found[0].chunk.doc_path == f"{number}.md"
    assert found[0].score > 0
    assert found[0].terms == index_terms(TEXTS[number])


@pytest.mark.parametrize(
    "term",
    [
        "'",
        '"',
        "AND",
        "OR",
        "+plus",
        "-minus",
        "*",
        "st*r",
        "~2",
        "^3",
        "(",
        "[a TO z]",
        "\\",
        "a:b",
    ],
)
def test_operators_are_no_operators(texts: Store, term: str) -> None:
    assert texts.search_terms([term], 5) == []
    together = texts.search_terms([term, "password"], 5)
    assert [f.chunk.doc_path for f in together] == ["0.md"]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40))
def test_any_text_can_be_searched(texts: Store, text: str) -> None:
    for found in texts.search_terms([text, *query_terms(text)], 5):
        assert set(found.terms.split()) & {*query_terms(text), *text.split()}


@settings(max_examples=30, deadline=None)
@given(st.text(min_size=1, max_size=60))
def test_what_is_indexed_is_found_by_its_own_words(texts: Store, text: str) -> None:
    terms = query_terms(text)
    indexed = set(index_terms(text).split())
    assert set(terms) <= indexed


def test_a_question_of_eight_thousand_characters(texts: Store) -> None:
    words = " ".join(f"word{i}" for i in range(900)) + " password"
    assert [f.chunk.doc_path for f in texts.search_terms(query_terms(words), 5)] == ["0.md"]


def test_k_limits(texts: Store) -> None:
    assert len(texts.search_vector(EMBEDDER.embed_query("password"), 3)) == 3
    assert len(texts.search_vector(EMBEDDER.embed_query("password"), 500)) == len(TEXTS)


def test_parted() -> None:
    values = [str(i) for i in range(2500)]
    parts = list(parted(values))
    assert [len(part) for part in parts] == [1000, 1000, 500]
    assert [value for part in parts for value in part] == values
    assert list(parted([])) == []
