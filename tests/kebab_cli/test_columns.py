"""Text in columns: cut, filled, and broken while it arrives."""

from __future__ import annotations

import random
from itertools import pairwise

import pyte
import pytest

from kebab_cli.columns import cells, clip, fill
from kebab_cli.flow import Flow

ENGLISH = "The notice period is four weeks, given in writing to the team lead, who signs. " * 3
JAPANESE = "通知期間は四週間です。書面でチームリーダーに提出します。「例外」はありません。" * 3
KOREAN = "통지 기간은 4주이며 서면으로 팀장에게 제출합니다. 예외는 없습니다. " * 3


def flow(text: str, width: int, cut: list[int] | None = None) -> str:
    """What stands on the screen of a terminal."""
    places = [0, *(cut or []), len(text)]
    going = Flow(width)
    screen = pyte.Screen(width, 200)
    stream = pyte.Stream(screen)
    for first, last in pairwise(places):
        stream.feed(going.feed(text[first:last]).replace("\n", "\r\n"))
    # The emulator fills the second column of a wide letter with an empty string.
    return "\n".join(line.rstrip() for line in screen.display).rstrip("\n")


def test_clipping_counts_columns() -> None:
    assert clip("notice", 6) == "notice"
    assert clip("notice", 5) == "noti…"
    assert clip("通知期間", 5) == "通知…"
    assert clip("notice", 1) == "…"
    assert clip("notice", 0) == ""


@pytest.mark.parametrize("width", [20, 60, 80, 120])
@pytest.mark.parametrize("text", [ENGLISH, JAPANESE, KOREAN], ids=["en", "ja", "ko"])
def test_no_line_is_wider_than_the_terminal(text: str, width: int) -> None:
    filled = fill(text, width, "  ", "    ")
    flown = flow(text, width).split("\n")
    for lines in (filled, flown):
        assert len(lines) > 1
        assert max(cells(line.rstrip()) for line in lines) <= width
        assert not any(line.lstrip().startswith(("。", "、", "」", ".", ",")) for line in lines)
    assert "".join("".join(filled).split()) == "".join(text.split())
    assert "".join("".join(flown).split()) == "".join(text.split())


def test_words_stay_whole() -> None:
    words = set(ENGLISH.split())
    for line in flow(ENGLISH, 30).split("\n"):
        assert set(line.split()) <= words
    assert set(flow(KOREAN, 30).split()) == set(KOREAN.split())


@pytest.mark.parametrize("text", [ENGLISH, JAPANESE, KOREAN, "- one two three " * 9 + "\n\n1. x"])
def test_it_does_not_matter_how_prose_was_cut(text: str) -> None:
    draw = random.Random(7)
    whole = flow(text, 40)
    for _ in range(50):
        cut = sorted(draw.randrange(len(text)) for _ in range(draw.randrange(30)))
        assert flow(text, 40, cut) == whole


def test_list_items_hang_and_code_and_tables_keep_their_lines() -> None:
    item = "- " + "four weeks of notice " * 4
    first, *rest = flow(item, 30).split("\n")
    assert first.startswith("- four")
    assert all(line.startswith("  ") and line[2] != " " for line in rest)
    code = "```sh\nkebab ask --show-context --explain 'a question that is rather long'\n```"
    table = "| name | what it does | what it costs | who decides | and so on and on |"
    assert Flow(30).feed(code) == code
    assert Flow(30).feed(table) == table
    assert Flow(30).feed(f"{code}\n{ENGLISH}").count("\n") > 10


def test_words_appear_as_they_come_and_move_when_they_grow() -> None:
    going = Flow(20)
    assert going.feed("The notice per") == "The notice per"
    assert going.feed("iod") == "iod"
    assert going.feed(" is") == " \nis"
    assert going.feed(" four weeks, or") == " four weeks, or"
    assert going.feed("der") == "\x1b[2D\x1b[K\norder"
    going = Flow(9)
    assert going.feed("four wee") == "four wee"
    assert going.feed("ks") == "\x1b[3D\x1b[K\nweeks"


def test_a_word_longer_than_the_line_is_left_to_the_terminal() -> None:
    address = "https://example.org/" + "a" * 300
    assert address in flow(f"See {address} for more.", 40).replace("\n", "")
