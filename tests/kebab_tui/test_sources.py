"""Sources: the pane, the sheet, the preview, what is copied and opened."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from kebab_core.testing import Reply
from kebab_tui.app import KebabApp
from kebab_tui.numbered import NumberedLines
from kebab_tui.preview import Preview
from kebab_tui.sheet import SourcesSheet
from kebab_tui.source_item import SourceItem
from kebab_tui.sources import SourceList
from tests.kebab_tui.look import drawn, said
from tests.kebab_tui.stage import PARENTAL, PARTNER, SIZES, ask, chat, handbook, opened, until


async def preview_of(pilot: Pilot[Any], app: KebabApp, key: str) -> Preview:
    app.chat.transcript.focus()
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, Preview) and app.screen.passage)
    assert isinstance(app.screen, Preview)
    return app.screen


async def test_a_number_opens_the_very_lines_that_are_cited() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        preview = await preview_of(pilot, app, "1")
        passage = preview.passage
        assert passage is not None
        assert (passage.marked_from, passage.marked_to) == (41, 46)
        text = base.documents_by_path["hr/leave-policy.md"].split("\n")
        shown = [line.plain for line in passage.lines]
        assert shown == text
        rows = drawn(app).split("\n")
        marked = [row for row in rows if "▌ " in row and "4" in row.split("▌")[1][:6]]
        assert len(marked) == 6
        assert "41   Every employee with six months' service" in marked[0]
        assert "lines 41–46 of 57" in drawn(app)
        assert "hit 1 of 5" in drawn(app)
        # Through the hits, and round.
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: preview.passage and preview.passage.marked_from == 50)
        await pilot.press("left_square_bracket", "left_square_bracket")
        await until(pilot, lambda: preview.passage and preview.hit.doc_path == "minutes/2025-03.md")
        assert "hit 5 of 5" in drawn(app)
        await pilot.press("escape")
        assert app.screen is app.chat
    app.settle()


async def test_a_click_on_a_marker_opens_it() -> None:
    app = chat(handbook())
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        rows = drawn(app).split("\n")
        row = next(number for number, line in enumerate(rows) if "and People [2]" in line)
        await pilot.click(offset=(rows[row].index("[2]") + 1, row))
        await until(pilot, lambda: isinstance(app.screen, Preview) and app.screen.passage)
        assert isinstance(app.screen, Preview)
        assert app.screen.hit.n == 2
    app.settle()


async def test_a_number_that_names_nothing_is_said_not_opened() -> None:
    app = chat(handbook())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        app.chat.transcript.focus()
        await pilot.press("9")
        assert app.screen is app.chat
        assert "no passage 9" in said(app)
    app.settle()


async def test_an_earlier_turn_shows_its_own_sources() -> None:
    app = chat(handbook())
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        await ask(pilot, PARTNER)
        assert "Sources (4)" in drawn(app)
        app.chat.transcript.focus()
        await pilot.press("alt+up", "alt+up")
        await until(pilot, lambda: "Sources (5)" in drawn(app))
        preview = await preview_of(pilot, app, "2")
        assert preview.hit.citation.start == 50
    app.settle()


async def test_the_pane_filters_and_shows_the_cited_alone() -> None:
    app = chat(handbook())
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        await pilot.press("ctrl+b")
        await until(pilot, lambda: isinstance(app.focused, SourceList))
        await pilot.press("c")
        assert "Sources (2/5)" in drawn(app)
        await pilot.press("c", "slash")
        await pilot.press(*"budget")
        await pilot.pause()
        assert "Sources (1/5)" in drawn(app)
        assert "minutes/2025-03.md" in drawn(app)
        await pilot.press("enter", "enter")
        await until(pilot, lambda: isinstance(app.screen, Preview) and app.screen.passage)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert "Sources (5)" in drawn(app)
        assert not app.chat.pane.query_one(Input).display
    app.settle()


async def test_the_pane_goes_and_comes_with_its_key() -> None:
    app = chat(handbook())
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await pilot.press("ctrl+b")
        assert "No sources yet" in said(app)
        await ask(pilot, PARENTAL)
        await pilot.press("ctrl+b")
        await until(pilot, lambda: isinstance(app.focused, SourceList))
        await pilot.press("j", "j", "k")
        items = list(app.chat.pane.query(SourceItem))
        assert [item.has_class("-highlighted") for item in items] == [False, True, *[False] * 3]
        await pilot.press("f3")
        assert not app.chat.pane.display
        assert app.focused is app.chat.prompt
        await pilot.press("f3")
        await until(pilot, lambda: app.chat.pane.display)
    app.settle()


async def test_narrow_screens_have_a_strip_and_a_sheet() -> None:
    app = chat(handbook())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        assert "+3 more  ^b" in drawn(app)
        assert not app.chat.pane.display
        await pilot.press("ctrl+b")
        sheet = app.screen
        assert isinstance(sheet, SourcesSheet)
        await until(pilot, lambda: len(sheet.query(SourceItem)) == 5)
        await pilot.press("down", "enter")
        await until(pilot, lambda: isinstance(app.screen, Preview) and app.screen.passage)
        assert isinstance(app.screen, Preview)
        assert app.screen.hit.n == 2
        await pilot.press("escape")
        await pilot.resize_terminal(120, 36)
        await until(pilot, lambda: app.chat.pane.display)
        assert "+3 more" not in drawn(app)
    app.settle()


async def test_citations_and_answers_are_copied() -> None:
    app = chat(handbook())
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        app.chat.transcript.focus()
        await pilot.press("y")
        assert app.clipboard == app.chat.conversation.turns[0].text
        preview = await preview_of(pilot, app, "2")
        await pilot.press("y")
        await until(pilot, lambda: "L50-L51" in app.clipboard)
        assert app.clipboard == preview.hit.citation.uri == "hr/leave-policy.md#L50-L51"
        await pilot.press("escape")
        app.chat.action_copy_turn()
        assert app.clipboard.startswith(f"## {PARENTAL}\n\nYou get **26 weeks")
        assert "[2] hr/leave-policy.md#L50-L51\n\n> Give eight weeks' written" in app.clipboard
    app.settle()


async def test_a_document_that_is_gone_shows_what_was_cited() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        base.documents_by_path = {}
        preview = await preview_of(pilot, app, "1")
        assert preview.passage is not None
        assert "no longer in the corpus" in drawn(app)
        assert "twenty-six weeks at full pay" in drawn(app)
        assert preview.passage.marked_from == 41
    app.settle()


async def test_a_bug_while_reading_is_said_in_the_preview() -> None:
    class Broken(type(handbook())):  # type: ignore[misc]
        def document(self, doc_id: str) -> Any:
            raise ValueError("sk-secret")

    base = handbook()
    base.__class__ = Broken
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        app.chat.transcript.focus()
        await pilot.press("1")
        await until(pilot, lambda: "Something broke inside kebab" in drawn(app))
        assert "secret" not in drawn(app)
    app.settle()


async def test_long_lines_wrap_and_keep_their_numbers() -> None:
    base = handbook()
    long = " ".join(f"word{n}" for n in range(200))
    base.documents_by_path = {**base.documents_by_path, "long.md": f"{long}\n\nThe end is here.\n"}
    base.reply("long", Reply([base.hit("long.md", 3)], "There [1]."))
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "long")
        await preview_of(pilot, app, "1")
        assert "3   The end is here." in drawn(app)
        lines = app.screen.query_one(NumberedLines)
        assert lines.virtual_size.height > 20
        assert lines.scroll_y > 0
    app.settle()


async def test_a_web_address_is_shown_and_only_http_is_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    base = handbook()
    base.reply(
        "links", Reply(prose="See [here](https://example.com/a) and [there](ftp://example.com).")
    )
    app = chat(base)
    opened_addresses: list[str] = []
    monkeypatch.setattr(app, "open_url", lambda url, **_: opened_addresses.append(url))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "links")
        rows = drawn(app).split("\n")
        row = next(number for number, line in enumerate(rows) if "See here" in line)
        await pilot.click(offset=(rows[row].index("here") + 1, row))
        await pilot.click(offset=(rows[row].index("there") + 1, row))
        await pilot.pause()
        assert opened_addresses == ["https://example.com/a"]
        assert "Opening https://example.com/a" in said(app)
        assert "Not opened: ftp://example.com" in said(app)
    app.settle()


async def test_without_an_editor_it_is_said_which_variable_to_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "leave.md"
    file.write_text("one\ntwo\n")
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        hit = app.chat.conversation.turns[0].hits[0]
        app.chat._edit(hit, 41)
        await pilot.pause()
        assert "no file on this machine" in said(app)
        with_file = hit.model_copy(update={"file_path": str(file)})
        app.chat._edit(with_file, 2)
        await pilot.pause()
        assert "Set VISUAL or EDITOR" in said(app)
        monkeypatch.setenv("EDITOR", sys.executable)
        app.chat._edit(with_file, 2)
        await pilot.pause()
        # A headless screen has no terminal to lend.
        assert "terminal of its own" in said(app)
    app.settle()


@pytest.mark.parametrize("size", ["120x36", "80x24"])
async def test_passages_are_pinned_and_left_out_and_the_question_asked_again(size: str) -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=SIZES[size]) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        await pilot.press("ctrl+b")
        await until(pilot, lambda: isinstance(app.focused, SourceList) and app.focused.items)
        await pilot.press("p", "down", "x", "down", "x", "x", "up", "up", "x", "p")
        assert "◆" in drawn(app)
        assert "✕" in drawn(app)
        await pilot.press("a")
        await until(pilot, lambda: len(base.runs) == 2)
        await until(pilot, lambda: app.chat.conversation.running is None)
        hits = app.chat.conversation.turns[0].hits
        assert base.runs[1].options.pinned == (hits[0].chunk_id,)
        assert base.runs[1].options.excluded == (hits[1].chunk_id,)
        assert app.chat.is_current
        assert "with 1 pinned, 1 left out" in drawn(app)
        # Once more, from the keyboard alone.
        await pilot.press("ctrl+r")
        await until(pilot, lambda: len(base.runs) == 3)
        assert base.runs[2].options.excluded == base.runs[1].options.excluded
    app.settle()
