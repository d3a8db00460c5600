"""How much of a question a passage holds, in every script."""

from __future__ import annotations

import pytest

from kebab_core.retrieve.coverage import Coverage, idf, units
from kebab_core.store import Store
from kebab_core.text.terms import index_terms
from tests.support.corpus import EMBEDDER, filled, stored

PASSAGES = [
    "Backups are kept for thirty days.",
    "连接数据库失败时应重试三次。",
    "비밀번호를 재설정하려면 관리자에게 문의하세요.",
    "パスワードを再設定する方法。",
    *(f"Notes about the {n}th day." for n in range(20)),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    directory = tmp_path_factory.mktemp("coverage")
    return filled(directory, [stored("a.md", PASSAGES, EMBEDDER)], EMBEDDER)


def share(store: Store, query: str, passage: str) -> float | None:
    return Coverage(store, query).share(index_terms(passage).split())


def test_a_rare_term_weighs_more() -> None:
    assert idf(1, 100) > idf(50, 100) > idf(100, 100) > 0
    assert idf(200, 100) == idf(100, 100)


def test_a_word_is_a_unit_and_a_character_is_one_with_its_neighbours() -> None:
    assert units("backup days") == [("backup",), ("day",)]
    assert units("数据库") == [("数据",), ("数据", "据库"), ("据库",)]
    assert units("水") == [("水",)]
    assert units("") == units("?!") == []


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("누구에게 비밀번호를", "비밀번호를"),
        ("Welche Datenbank", "Datenbank"),
        ("Quelle base", "base"),
        ("Какая база", "база"),
        ("How long are backups kept?", "backups kept"),
    ],
)
def test_words_that_only_ask_are_left_out(query: str, left: str) -> None:
    assert units(query) == units(left)


def test_what_asks_within_a_run_is_no_unit_but_its_neighbours_are() -> None:
    assert units("数据库是什么") == [("数据",), ("数据", "据库"), ("据库", "库是")]
    assert units("旅行目的") == [("旅行",), ("旅行", "行目"), ("行目", "目的")]


@pytest.mark.parametrize("query", ["什么", "누구", "что"])
def test_unless_there_are_no_others(query: str) -> None:
    assert units(query)


def test_the_share_is_of_weight_not_of_count(store: Store) -> None:
    # "day" is in almost every passage, "backup" in one.
    assert share(store, "backup day", PASSAGES[0]) == pytest.approx(1)
    rare, common = share(store, "backup day", "backups"), share(store, "backup day", "a day")
    assert rare is not None
    assert common is not None
    assert rare + common == pytest.approx(1)
    assert rare > 0.9
    assert share(store, "backup day", "nothing") == 0


@pytest.mark.parametrize(
    ("query", "passage", "other"),
    [
        ("数据库连接失败怎么办?", PASSAGES[1], PASSAGES[3]),
        ("비밀번호 재설정은 어떻게 하나요?", PASSAGES[2], PASSAGES[1]),
        ("パスワードの再設定", PASSAGES[3], PASSAGES[1]),
    ],
)
def test_pairs_across_words_cost_little(store: Store, query: str, passage: str, other: str) -> None:
    right, wrong = share(store, query, passage), share(store, query, other)
    assert right is not None
    assert wrong is not None
    assert right > 0.5
    assert wrong < 0.2


def test_a_query_without_words_has_no_share(store: Store) -> None:
    assert share(store, "?!", PASSAGES[0]) is None
