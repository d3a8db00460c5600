"""However an answer is cut into deltas, the reader gets the same text."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.ask.stream.prose import ProseStream
from kebab_core.ask.tail import Tail

KNOWN = (1, 2, 3)
TAIL = '{"cited": [1], "followups": ["And then?"], "gap": null}'

PIECES = st.sampled_from(
    [
        "It runs every night",
        "word",
        " ",
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        "-",
        "---",
        "\n---\n",
        "---\n{",
        "{",
        "}",
        '"cited"',
        '"cit',
        f"\n---\n{TAIL}",
        TAIL,
        '\n---\n{"cited": [1',
        '--- {"gap": null}',
        "`",
        "```",
        "\n```python\n",
        "\n```\n",
        "~~~",
        "[",
        "]",
        "(",
        "[1]",
        "[9]",
        "[1, 9]",
        "[1-3]",
        "items[9]",
        "휴가[9]",
        "［2］",
        "【7】",
        "[1](url)",
        "[9](url)",
        "NOTFOUND",
        "not",
        "found",
        ".",
        "\x1b[31m",
        "\ud83d",
        "\ude00",
        "é",
    ]
)
ANSWERS = st.lists(PIECES, max_size=14).map("".join)


@st.composite
def cut_answers(draw: st.DrawFn) -> tuple[str, list[str]]:
    answer = draw(ANSWERS)
    places = sorted(draw(st.sets(st.integers(0, len(answer)), max_size=12)))
    bounds = [0, *places, len(answer)]
    return answer, [answer[a:b] for a, b in pairwise(bounds)]


def read(deltas: list[str]) -> tuple[ProseStream, list[str]]:
    prose = ProseStream(KNOWN)
    out = [prose.feed(delta) for delta in deltas]
    out.append(prose.end())
    return prose, out


@given(cut_answers())
def test_the_cut_does_not_matter(answer: tuple[str, list[str]]) -> None:
    whole, cut = answer
    uncut, _ = read([whole])
    prose, out = read(cut)
    letters, _ = read(list(whole))
    assert "".join(out) == prose.text == uncut.text == letters.text
    assert prose.markers == uncut.markers == letters.markers
    assert prose.tail == uncut.tail == letters.tail
    assert prose.abstained == uncut.abstained == letters.abstained


@given(cut_answers())
def test_markers_stand_where_they_are_said_to(answer: tuple[str, list[str]]) -> None:
    prose, _ = read(answer[1])
    for marker in prose.markers:
        assert prose.text.startswith(f"[{marker.n}]", marker.offset)
        assert marker.n in KNOWN


@given(cut_answers())
def test_nothing_unsafe_and_no_space_at_the_ends(answer: tuple[str, list[str]]) -> None:
    prose, _ = read(answer[1])
    assert prose.text == prose.text.strip()
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", prose.text)


WORDS = st.lists(
    st.sampled_from(["night", "run [1]", "—", "`code`", "a - b", "--", "---", "----", "- x"]),
    min_size=1,
    max_size=8,
)
PLAIN = st.builds(
    lambda words, ends: "".join(w + e for w, e in zip(words, ends, strict=False)),
    WORDS,
    st.lists(st.sampled_from([" ", "\n", "\n\n"]), min_size=8, max_size=8),
)
QUESTIONS = st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=20), max_size=3)


@given(PLAIN, QUESTIONS, st.data())
def test_no_byte_of_a_tail_is_read(prose: str, questions: list[str], data: st.DataObject) -> None:
    tail = json.dumps({"cited": [1], "followups": questions, "gap": None})
    answer = f"{prose}\n---\n{tail}"
    places = sorted(data.draw(st.sets(st.integers(0, len(answer)), max_size=12)))
    bounds = [0, *places, len(answer)]
    stream, out = read([answer[a:b] for a, b in pairwise(bounds)])
    alone, _ = read([prose])
    assert stream.text == alone.text
    assert "cited" not in "".join(out)
    assert stream.has_tail
    assert stream.tail is not None
    assert stream.tail.cited == (1,)
    assert stream.tail == Tail.of({"cited": [1], "followups": questions})


def test_prose_goes_out_as_it_comes() -> None:
    prose = ProseStream(KNOWN)
    assert prose.feed("It runs every night") == "It runs every night"
    assert prose.feed(" [1") == ""
    assert prose.feed("]") == " [1]"
    assert prose.feed(".\n") == "."
    assert prose.feed("--") == ""
    assert prose.feed("- then") == "\n--- then"


def test_a_tail_with_its_newline_in_a_delta_of_its_own() -> None:
    prose, out = read(["It runs [1].", "\n", "---", "\n", '{"cited', '": [1]}'])
    assert out == ["It runs [1].", "", "", "", "", "", ""]
    assert prose.text == "It runs [1]."


@pytest.mark.parametrize(
    "answer",
    ["NOTFOUND", " NotFound.\n", "**NOTFOUND**", "not found!", f"NOTFOUND\n---\n{TAIL}"],
)
def test_not_found_alone_is_an_abstention(answer: str) -> None:
    prose, out = read(list(answer))
    assert prose.abstained
    assert not any(out)


@pytest.mark.parametrize(
    "answer", ["NOTFOUND means that nothing was found.", "The server says NOTFOUND.", "Notfoundry"]
)
def test_not_found_amid_prose_is_prose(answer: str) -> None:
    prose, _ = read(list(answer))
    assert not prose.abstained
    assert prose.text == answer


def test_what_cannot_be_notfound_is_not_held_back() -> None:
    prose = ProseStream(KNOWN)
    assert prose.feed("No") == ""
    assert prose.feed("t") == ""
    assert prose.feed("ice") == "Notice"


def test_without_abstention_the_word_is_prose() -> None:
    prose = ProseStream((), may_abstain=False)
    assert prose.feed("NOTFOUND") == "NOTFOUND"
    assert not prose.abstained
