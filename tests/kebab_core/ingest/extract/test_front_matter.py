from __future__ import annotations

import pytest

from kebab_core.ingest.extract.front_matter import FrontMatter, front_matter


def test_yaml_keeps_words_as_they_are() -> None:
    found = front_matter("---\ntitle: 007\ntags: yes, no\nstatus: 2024-13-45\nother: 1\n---\nx")
    assert (found.title, found.tags, found.status) == ("007", ("yes", "no"), "2024-13-45")


def test_toml_between_plus_signs() -> None:
    found = front_matter(
        '+++\r\ntitle = "A"\r\ntags = ["b", "#c"]\r\ndate = 2024-01-01\r\n+++\r\nx'
    )
    assert (found.title, found.tags) == ("A", ("b", "c"))


@pytest.mark.parametrize(
    ("value", "author"),
    [("Ada", "Ada"), ("[Ada, Grace]", "Ada, Grace"), ("{name: Ada, mail: x}", "Ada"),
     ("[{name: Ada}, Grace]", "Ada, Grace"), ("", None)],
)  # fmt: skip
def test_authors(value: str, author: str | None) -> None:
    assert front_matter(f"---\nauthor: {value}\n---\n").author == author


@pytest.mark.parametrize("keys", ["tags", "Keywords", "tag"])
def test_tags_in_every_form(keys: str) -> None:
    for written in ("a b", "a, b", "['#a', b]", "\n- a\n- b\n- a"):
        assert front_matter(f"---\n{keys}: {written}\n---\n").tags == ("a", "b")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\n",
        "---\nno end",
        "----\na: b\n----\n",
        " ---\na: b\n---\n",
        "text\n---\na: b\n---\n",
    ],
)
def test_what_is_none(text: str) -> None:
    assert front_matter(text) == FrontMatter()


def test_text_between_two_rules_is_no_front_matter() -> None:
    assert front_matter("---\nJust a sentence here.\n---\n") == FrontMatter()


def test_an_empty_one_ends_where_it_ends() -> None:
    assert front_matter("---\n---\nx").end == 7
    assert front_matter("---\n\n...\nx").end == 8


@pytest.mark.parametrize(
    "body", ["a: [", "a: b: c", "\tx: y", "{{ template }}", "[" * 5_000, "- &a [*a", "a: *unknown"]
)
def test_what_cant_be_read_is_said_and_stays_text(body: str) -> None:
    text = f"---\n{body}\n---\nrest"
    found = front_matter(text)
    assert text[found.end :] == "\nrest"
    assert "can't be read" in found.warnings[0]
    assert len(found.warnings[0]) < 300


def test_an_alias_bomb_costs_nothing() -> None:
    levels = "\n".join(f"k{i}: &k{i} [{', '.join([f'*k{i - 1}'] * 10)}]" for i in range(1, 12))
    found = front_matter(f"---\nk0: &k0 [x]\n{levels}\ntitle: *k11\ntags: *k11\nauthor: *k1\n---\n")
    assert found.title is None
    assert found.tags == ()
