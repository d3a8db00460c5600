from __future__ import annotations

import pytest

from kebab_core.ask.toolbox.arguments import LONGEST, BadArgumentsError, parse


@pytest.mark.parametrize(
    "text",
    [
        '{"query": "leave"}',
        '{"query": " leave ", "other": [1]}',
        '"leave"',
        '"{\\"query\\": \\"leave\\"}"',
        '```json\n{"query": "leave"}\n```',
        '{"arguments": {"query": "leave"}}',
    ],
)
def test_taken_as_they_are_meant(text: str) -> None:
    assert parse(text, ["query"]) == {"query": "leave"}


def test_numbers_stand_for_strings_and_nulls_for_nothing() -> None:
    assert parse('{"path": "a.md", "lines": 12}', ["path"], ["lines"])["lines"] == "12"
    assert parse('{"path": "a.md", "lines": null}', ["path"], ["lines"]) == {"path": "a.md"}


@pytest.mark.parametrize("text", ["", "{}", "null"])
def test_nothing_is_enough_where_nothing_is_required(text: str) -> None:
    assert parse(text, [], ["folder"]) == {}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{not json", "no valid JSON"),
        ("[" * 100_000, "no valid JSON"),
        ("[1]", "no JSON object"),
        ("", "no JSON object"),
        ("{}", "query is missing"),
        ('{"query": "  "}', "query is missing"),
        ('{"query": true}', "query is missing"),
        (f'{{"query": "{"x" * (LONGEST + 1)}"}}', "more than"),
    ],
)
def test_what_is_wrong_is_said(text: str, why: str) -> None:
    with pytest.raises(BadArgumentsError, match=why):
        parse(text, ["query"])
