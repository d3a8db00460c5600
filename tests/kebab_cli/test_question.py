"""Questions in words, and from stdin."""

from __future__ import annotations

import io
import sys

import pytest

from kebab_cli.question import question_text
from kebab_core.api import InvalidInput


class Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def test_words_are_joined() -> None:
    assert question_text(["how", "long", "is leave?"]) == "how long is leave?"


def test_a_dash_reads_stdin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin("비밀번호?\n".encode()))
    assert question_text(["-"]) == "비밀번호?"


@pytest.mark.parametrize("data", [b"\xff\xfe?", b"x" * 1_000_001])
def test_what_can_not_be_a_question_is_refused(
    monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(data))
    with pytest.raises(InvalidInput) as refused:
        question_text(["-"])
    assert refused.value.hint


def test_a_closed_stdin_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InvalidInput, match="closed"):
        question_text(["-"])
