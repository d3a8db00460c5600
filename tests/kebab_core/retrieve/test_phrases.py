"""Words in quotes, in the quotes of many languages."""

from __future__ import annotations

import pytest

from kebab_core.retrieve.phrases import phrases


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ('where is "notice period" said', ("notice period",)),
        (
            "“notice period” and „Fristen“, «délai»",
            ("notice period", "Fristen", "délai"),
        ),
        ("「退職」は『通知』", ("退職", "通知")),
        ('twice "a b" and "a b"', ("a b",)),
        ('a 5" disk and a 3" disk', ()),
        ('an open "quote', ()),
        ('nothing "" or "?!"', ()),
        ("it's Ann's", ()),
    ],
)
def test_what_stands_in_quotes(query: str, found: tuple[str, ...]) -> None:
    assert phrases(query) == found
