from __future__ import annotations

from kebab_core.ask.passages import Passages
from kebab_core.ask.toolbox.giving import NO_ROOM, Giving
from kebab_core.ask.toolbox.limits import MAX_DOCUMENTS, MAX_STEPS, Limits
from kebab_core.llm.tokens import estimate
from tests.support.asking import hit


def test_steps_run_out() -> None:
    limits = Limits(60, None)
    assert [limits.take_step() for _ in range(MAX_STEPS + 1)] == [True] * MAX_STEPS + [False]


def test_what_fits_of_a_text() -> None:
    limits = Limits(60, 10)
    assert limits.fitting("short") == "short"
    cut = limits.fitting("a long text that goes on " * 9)
    assert estimate(cut) == 10
    assert Limits(60, 0).fitting("text") == ""


def test_a_run_reads_so_many_further_documents() -> None:
    found = [hit(f"Text {i}.", path=f"{i}.md") for i in range(MAX_DOCUMENTS + 3)]
    passages = Passages()
    passages.add(found[:1])
    text, given = Giving(Limits(60, None), [1]).give(found, passages, "(nothing)")
    # The first pack's document is free.
    assert [one.n for one in given] == list(range(1, MAX_DOCUMENTS + 2))
    assert "Left out: 2." in text
    assert "Shown above already: [1]." in text


def test_what_does_not_fit_gets_no_number() -> None:
    found = [hit("A short one.", path="a.md"), hit("Words and words. " * 99, path="b.md")]
    passages = Passages()
    text, given = Giving(Limits(60, 80), []).give(found, passages, "(nothing)")
    assert [one.n for one in given] == [1]
    assert len(passages) == 1
    assert NO_ROOM in text


def test_a_passage_the_prompt_had_no_room_for_is_shown_under_its_number() -> None:
    passages = Passages()
    (known,) = passages.add([hit("A short one.")])
    text, _ = Giving(Limits(60, None), []).give([known], passages, "(nothing)")
    assert '<passage n="1"' in text
