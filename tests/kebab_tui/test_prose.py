from __future__ import annotations

from kebab_tui.prose import Prose


def test_only_the_first_piece_since_the_last_frame_is_announced() -> None:
    prose = Prose()
    assert prose.put("a")
    assert not prose.put("b")
    assert prose.take() == ("ab", 2)
    assert prose.put("c")


def test_a_line_end_cut_in_two_is_one() -> None:
    prose = Prose()
    prose.put("a\r")
    assert prose.take() == ("a", 1)
    prose.put("\nb")
    assert prose.take() == ("\nb", 1)


def test_a_lone_carriage_return_comes_out_at_the_end() -> None:
    prose = Prose()
    prose.put("a\r")
    assert prose.take(last=True) == ("a\n", 1)


def test_escape_sequences_are_shown() -> None:
    prose = Prose()
    prose.put("\x1b")
    prose.put("[2J")
    assert prose.take() == ("␛[2J", 2)
