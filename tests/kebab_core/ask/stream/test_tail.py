"""Where the tail begins."""

from __future__ import annotations

import pytest

from kebab_core.ask.stream.tail import TailSplitter
from kebab_core.ask.tail import Tail


def split(text: str) -> tuple[str, TailSplitter]:
    splitter = TailSplitter()
    prose = "".join([splitter.feed(char) for char in text]) + splitter.end()
    return prose, splitter


def test_a_whole_tail() -> None:
    gap = '{"reason": "not-covered", "suggested_title": "Dress code"}'
    prose, splitter = split(
        f'Yes [1].\n---\n{{"cited": [1, 2], "followups": [" Why? "], "gap": {gap}}}'
    )
    assert prose == "Yes [1].\n"
    assert splitter.tail == Tail((1, 2), ("Why?",), "not-covered", "Dress code")


@pytest.mark.parametrize("sentinel", ["---\n", "---", "--- \n\n", "---\n \n"])
@pytest.mark.parametrize("key", ["cited", "followups", "gap"])
def test_each_key_begins_it(sentinel: str, key: str) -> None:
    prose, splitter = split(f'A\n{sentinel}{{ "{key}": null}}')
    assert (prose, splitter.seen) == ("A\n", True)


@pytest.mark.parametrize(
    "text",
    [
        "A\n---\nB",
        "A\n---",
        "A\n---\n",
        "A\n----\n{",
        'A\n---\n{"other": 1}',
        'A ---\n{"cited": [1]}',
        "---\nA: b\n---\nC",
        '```yaml\n---\n{"cited": [1]}\n```\n',
        '~~~\n---\n{"cited": [1]}',
        "> A\n--\n-\n",
    ],
)
def test_other_rules_are_prose(text: str) -> None:
    prose, splitter = split(text)
    assert prose == text
    assert not splitter.seen


def test_after_a_closed_fence_it_is_a_tail() -> None:
    prose, splitter = split('```\nx\n```\n---\n{"cited": []}')
    assert prose == "```\nx\n```\n"
    assert splitter.tail == Tail(cited=())


def test_a_rule_in_the_prose_and_a_tail_later() -> None:
    prose, splitter = split('A\n---\nB\n---\n{"cited": [2]}')
    assert prose == "A\n---\nB\n"
    assert splitter.tail == Tail(cited=(2,))


def test_a_false_tail_goes_back_in_one_piece() -> None:
    splitter = TailSplitter()
    out = [splitter.feed(c) for c in 'A\n---\n{"gap": 1} is how it looks\n---\n{"cited": [1]}']
    assert "".join(out) == "A\n"
    assert splitter.end() == '---\n{"gap": 1} is how it looks\n'
    assert splitter.tail == Tail(cited=(1,))


@pytest.mark.parametrize(
    "tail", ['{"cited": [1', '{"cited": nonsense}', '{"cited"', '{"cit', "{", '{"followups": ["a']
)
def test_a_broken_tail_is_dropped(tail: str) -> None:
    prose, splitter = split(f"A\n---\n{tail}")
    assert prose == "A\n"
    assert splitter.tail is None
    assert splitter.seen


def test_what_follows_the_json_is_dropped_too() -> None:
    prose, splitter = split('A\n---\n{"cited": [1]}\nHope that helps!')
    assert prose == "A\n"
    assert splitter.tail == Tail(cited=(1,))


def test_rubbish_in_the_fields_is_ignored() -> None:
    _, splitter = split('A\n---\n{"cited": ["1", true, 2], "followups": [3, ""], "gap": 4}')
    assert splitter.tail == Tail(cited=(1, 2))
