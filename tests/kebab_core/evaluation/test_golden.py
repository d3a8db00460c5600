"""Golden sets as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kebab_core.errors import InvalidInput, NotFound
from kebab_core.evaluation.golden import Golden, read, to_line
from kebab_core.evaluation.place import Place, is_called, parse

SET = [
    Golden("How long is it?", (Place("hr/leave.md", 3, 9),), support=("Four weeks.",)),
    Golden("Who pays?", answerable=False, history=("How long is it?",)),
    Golden("Where?", passages=("In Ulm.",), reference="In Ulm."),
]
YAML = """\
questions:
  - question: How long is it?
    expected: hr/leave.md#L3-L9
    support: [Four weeks.]
  - {question: "Who pays?", answerable: false, history: ["How long is it?"]}
  - {question: "Where?", passages: [In Ulm.], reference: In Ulm.}
"""


def test_lines_are_read_as_they_are_written(tmp_path: Path) -> None:
    file = tmp_path / "golden.jsonl"
    file.write_text("\n".join(map(to_line, SET)) + "\n\n", encoding="utf-8")
    assert read(file) == SET


def test_yaml_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "golden.yaml"
    file.write_text(YAML, encoding="utf-8")
    assert read(file) == SET


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2: this is no JSON"),
        ("[1]", "line 2: a question is an object"),
        ('{"questoin": "x"}', "Did you mean 'question'"),
        ('{"question": " "}', "it has no question"),
        ('{"question": "x", "expected": [3]}', "expected is a list of texts"),
        ('{"question": "x", "answerable": "no"}', "answerable is true or false"),
        ('{"question": "x", "answerable": false, "expected": ["a.md"]}', "can't expect anything"),
        ('{"question": "x", "reference": 3}', "reference is a text"),
    ],
)
def test_a_line_that_cannot_be_meant_is_named(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "golden.jsonl"
    file.write_text(f'{{"question": "ok"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        read(file)
    assert said in refused.value.message


@pytest.mark.parametrize("text", ["", "- ", "questions: 3", "a: [", "!!python/name:os.system"])
def test_yaml_that_holds_no_questions(tmp_path: Path, text: str) -> None:
    file = tmp_path / "golden.yml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput):
        read(file)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read(tmp_path / "none.jsonl")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a.md", Place("a.md")),
        ("a.md#L3", Place("a.md", 3, 3)),
        ("a.md#L9-L3", Place("a.md", 3, 9)),
        ("a#b.pdf#page=2", Place("a#b.pdf", page=2)),
        ("a.md#intro", Place("a.md#intro")),
    ],
)
def test_places(text: str, place: Place) -> None:
    assert parse(text) == place


@pytest.mark.parametrize(
    ("name", "is_it"),
    [
        ("hr/leave.md", True),
        ("leave.md", True),
        ("./notes/hr/leave.md", True),
        ("eave.md", False),
        ("hr", False),
        ("", False),
    ],
)
def test_names_of_a_document(name: str, is_it: bool) -> None:
    assert is_called("notes", "hr/leave.md", name) is is_it
