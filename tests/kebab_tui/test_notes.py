"""An answer kept as a note; what the answer left open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kebab_core.api import Gap
from kebab_tui.notes import write_note
from kebab_tui.save_note import SaveNote
from tests.kebab_tui.look import drawn, said
from tests.kebab_tui.stage import LISBON, PARENTAL, ask, chat, handbook, opened, until

MISSING = Gap(reason="not-covered", suggested_title="Leave for adoptive parents")


async def test_an_answer_is_kept_with_its_sources_and_nothing_is_overwritten(
    tmp_path: Path,
) -> None:
    app = chat(handbook())
    folder = tmp_path / "new" / "notes"
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("f6")
        assert "no answer to keep" in said(app)
        await ask(pilot, PARENTAL)
        for number in (1, 2):
            await pilot.press("f6")
            await until(pilot, lambda: isinstance(app.screen, SaveNote))
            # The second time the folder is remembered.
            await pilot.press(*([*str(folder)] if number == 1 else []), "enter")
            await until(pilot, lambda: app.chat.is_current)
            await until(pilot, lambda: len(list(folder.glob("*.md"))) == number)  # noqa: B023
        await until(pilot, lambda: "Saved to" in said(app))
    app.settle()
    first, second = sorted(folder.glob("*.md"), key=lambda file: len(file.name))
    assert first.name == "How-many-weeks-of-parental-leave-do-we-get.md"
    assert second.name.endswith("-2.md")
    text = first.read_text(encoding="utf-8")
    assert text.startswith(f"# {PARENTAL}\n")
    assert "26 weeks at full pay" in text
    assert "hr/leave-policy.md#" in text
    assert "> take twenty-six weeks at full pay" in text


async def test_what_cant_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    app = chat(handbook())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(app.screen, SaveNote))
        await pilot.press(*str(tmp_path / "file"), "enter")
        await until(pilot, lambda: "Not saved" in said(app))
    app.settle()
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("title", ["../../etc/passwd", "a/b\\c", "…", "\x1b[2J", "x" * 300])
def test_a_title_stays_in_its_folder(tmp_path: Path, title: str) -> None:
    file = write_note(tmp_path / "notes", title, "text\n")
    assert file.parent == tmp_path / "notes"
    assert file.suffix == ".md"
    assert file.read_text() == "text\n"


async def test_what_the_answer_left_open_is_offered_to_be_written_down() -> None:
    base = handbook()
    base.reply(PARENTAL, replace(base.replies[PARENTAL], gap=MISSING))
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        assert "Not covered  Leave for adoptive parents" in drawn(app)
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(app.screen, SaveNote))
        assert "Leave for adoptive parents" in drawn(app)
        await pilot.press("escape")
        await pilot.press("ctrl+t")
        await until(pilot, lambda: len(base.runs) == 2)
        assert base.runs[1].options.web
    app.settle()


async def test_a_search_that_did_not_run_offers_nothing() -> None:
    base = handbook()
    base.reply(PARENTAL, replace(base.replies[PARENTAL], gap=Gap(reason="search-limited")))
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        assert "something may have been missed" in drawn(app)
        assert "Write it down" not in drawn(app)
        await ask(pilot, LISBON)
        assert "Not in your documents" in drawn(app)
    app.settle()
