from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kebab_core.text.sentences import sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Smith paid $3.50, i.e. less.", ["Dr. Smith paid $3.50, i.e. less."]),
        ("J. R. Smith came. He left.", ["J. R. Smith came.", "He left."]),
        ("See Fig. 3 and No. 5. Use 1.0.2.", ["See Fig. 3 and No. 5.", "Use 1.0.2."]),
        ('"Really?" he asked. (Yes.) No.', ['"Really?" he asked.', "(Yes.)", "No."]),
        ("Wait... what? No… Yes.", ["Wait... what?", "No…", "Yes."]),
        ("Am 3. Oktober, z.B. heute. Ja.", ["Am 3. Oktober, z.B. heute.", "Ja."]),
        ("Lines wrap\nhere. Next\none.", ["Lines wrap\nhere.", "Next\none."]),
        ("今日は雨です。明日は晴れ！", ["今日は雨です。", "明日は晴れ！"]),
        ("「行こう。」と言った。次。", ["「行こう。」と言った。", "次。"]),
        ("오늘은 비. 버전 1.2를 쓴다!", ["오늘은 비.", "버전 1.2를 쓴다!"]),
        ("यह एक है। यह दो है।", ["यह एक है।", "यह दो है।"]),
        ("هل هذا سؤال؟ نعم.", ["هل هذا سؤال؟", "نعم."]),
        ("", []),
        ("…\n\n***\n---", []),
    ],
)
def test_prose(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A title. Really\nBody text", ["A title. Really", "Body text"]),
        ("Setext\n======\nbody", ["Setext", "body"]),
        (
            "- one. Two.\n- three\n  goes on\n* [x] done",
            ["one.", "Two.", "three\n  goes on", "done"],
        ),
        ("Do:\n1. this\n2) that", ["Do:", "this", "that"]),
        ("| a. | b |\n|---|:-:|\n| 1 | 2 |", ["| a. | b |", "| 1 | 2 |"]),
        ("> one\n> goes. Two", ["one", "goes.", "Two"]),
        ("Text\n```py\nx = 1. \n\n# y\n```\nmore", ["Text", "x = 1. \n\n# y", "more"]),
        ("~~~\na\n```\nb\n~~~", ["a\n```\nb"]),
        ("end of code\n```\nProse. More.", ["end of code", "Prose.", "More."]),
        ("para one\n\npara two", ["para one", "para two"]),
    ],
)
def test_markdown(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet="aB1.!?。」'\"\n\r\t #>-|`~*0)é한", max_size=80))
def test_spans_are_in_order_and_lose_no_word(text: str) -> None:
    spans = sentence_spans(text)
    last = 0
    for start, end in spans:
        assert last <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        last = end
    outside = text
    for start, end in reversed(spans):
        outside = outside[:start] + outside[end:]
    # What is left out is markup: list numbers and the names of code fences at most.
    kept = sum(c.isalnum() for start, end in spans for c in text[start:end])
    lost = sum(c.isalnum() for c in outside)
    assert kept + lost == sum(c.isalnum() for c in text)
    if not any(sign in text for sign in ("`", "~", ")", ".")):
        assert lost == 0


def test_every_answer_of_a_collection_lies_within_few_sentences(shared_data: Path) -> None:
    """Short answers of SQuAD's kind should hardly ever be torn apart by a boundary."""
    for lang in ("en", "de", "zh"):
        data = json.loads((shared_data / "xquad" / f"xquad.{lang}.json").read_text("utf-8"))
        whole = torn = 0
        for article in data["data"]:
            for paragraph in article["paragraphs"]:
                spans = sentence_spans(paragraph["context"])
                for question in paragraph["qas"]:
                    answer = question["answers"][0]
                    start = answer["answer_start"]
                    end = start + len(answer["text"])
                    inside = any(a <= start and end <= b for a, b in spans)
                    whole += inside
                    torn += not inside
        assert torn / (whole + torn) < 0.02, (lang, torn, whole)
