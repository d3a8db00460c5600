"""Sessions: picked, restored, renamed, deleted, exported; answers marked."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from kebab_core.testing import ScriptedBase
from kebab_core.wire.session import Session
from kebab_tui.app import KebabApp
from kebab_tui.sessions_dialog import SessionsDialog
from kebab_tui.source_item import SourceItem
from kebab_tui.turn import Phase
from tests.kebab_tui.look import drawn, said
from tests.kebab_tui.stage import LISBON, PARENTAL, PARTNER, ask, chat, handbook, opened, until


async def with_two_sessions(pilot: Pilot[Any], app: KebabApp) -> None:
    await opened(pilot)
    await ask(pilot, PARENTAL)
    await ask(pilot, PARTNER)
    await pilot.press("ctrl+n")
    await ask(pilot, LISBON)


async def dialog(pilot: Pilot[Any], app: KebabApp) -> SessionsDialog:
    await pilot.press("ctrl+s")
    shown = app.screen
    assert isinstance(shown, SessionsDialog)
    await until(pilot, lambda: shown.listed)
    return shown


async def test_a_session_is_opened_where_it_was_left() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await with_two_sessions(pilot, app)
        second = app.chat.conversation.session_id
        await dialog(pilot, app)
        assert "2 saved" in drawn(app)
        await pilot.press("down", "enter")
        await until(pilot, lambda: len(app.chat.conversation.turns) == 2)
        await until(pilot, lambda: "26 weeks at full pay" in drawn(app))
        shown = drawn(app)
        assert "Can I split it with my partner?" in shown
        assert "[1] faq.md › Both parents here?" in shown
        assert app.chat.conversation.session_id != second
        assert len(app.chat.pane.query(SourceItem)) == 4
        await pilot.press("up")
        assert app.chat.prompt.text == PARTNER
        app.chat.prompt.fill("")
        await ask(pilot, PARENTAL)
        assert base.runs[-1].options.session_id == app.chat.conversation.session_id
        assert len(base.sessions.get(app.chat.conversation.session_id or "").turns or []) == 3
    app.settle()


async def test_the_last_session_is_restored_when_asked_for() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        await ask(pilot, LISBON)
    app.settle()
    again = chat(base, continue_last=True)
    async with again.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: len(again.chat.conversation.turns) == 2)
        await until(pilot, lambda: "Not in your documents" in drawn(again))
        shown = drawn(again)
        assert "26 weeks at full pay" in shown
        assert "▸ 1 step · 5 passages · 3.1 s" in shown
        assert "Sources (2)" in shown
        assert [turn.phase for turn in again.chat.conversation.turns] == [
            Phase.ANSWERED,
            Phase.ABSTAINED,
        ]
    again.settle()


async def test_continue_without_an_earlier_session_starts_one() -> None:
    app = chat(handbook(), continue_last=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        assert app.chat.conversation.turns[0].phase is Phase.ANSWERED
    app.settle()


async def test_typing_filters_over_titles_and_text() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await with_two_sessions(pilot, app)
        shown = await dialog(pilot, app)
        shown.query_one(Input).value = "eight weeks"  # only in the first session's answer
        await until(pilot, lambda: "1 saved" in drawn(app))
        assert shown._session() is not None
        await pilot.press("enter")
        await until(pilot, lambda: len(app.chat.conversation.turns) == 2)
    app.settle()


async def test_rename_and_delete_with_a_question() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await with_two_sessions(pilot, app)
        await dialog(pilot, app)
        await pilot.press("ctrl+r")
        assert "A new name for" in drawn(app)
        await pilot.press("ctrl+u", *"Lisbon", "enter")
        await until(pilot, lambda: [s.title for s in base.sessions.list()].count("Lisbon") == 1)
        assert app.chat.conversation.title == "Lisbon"
        await until(pilot, lambda: "Lisbon" in drawn(app))
        await pilot.press("ctrl+x")
        assert "Delete “Lisbon” with its 1 turn?" in drawn(app)
        await pilot.press("escape")
        assert len(base.sessions.list()) == 2
        await pilot.press("ctrl+x", "ctrl+x")
        await until(pilot, lambda: len(base.sessions.list()) == 1)
        # The open session was the deleted one: the chat is empty again.
        assert app.chat.conversation.turns == []
        await pilot.press("escape")
        assert app.screen is app.chat
    app.settle()


async def test_leaving_a_session_while_it_answers_keeps_what_was_written() -> None:
    base = handbook()
    gate = threading.Event()
    base.reply(PARENTAL, replace(base.replies[PARENTAL], gate=gate, tokens_before=9))
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        await until(
            pilot,
            lambda: app.chat.conversation.running and app.chat.conversation.running.pieces == 9,
        )
        left = app.chat.conversation.session_id
        await pilot.press("ctrl+n")
        await ask(pilot, PARTNER)
        assert [turn.question for turn in app.chat.conversation.turns] == [PARTNER]
        assert app.chat.conversation.session_id != left
        await until(pilot, lambda: _state(base, left) == "cancelled")
    app.settle()


def _state(base: ScriptedBase, session_id: str | None) -> str:
    turns = base.sessions.get(session_id or "").turns or []
    return turns[0].state


async def test_a_mark_stays_with_the_turn() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        app.chat.transcript.focus()
        await pilot.press("plus")
        session_id = app.chat.conversation.session_id or ""
        await until(pilot, lambda: _rating(base, session_id) == 1)
        assert "tokens · good" in drawn(app)
        await pilot.press("minus")
        await until(pilot, lambda: _rating(base, session_id) == -1)
        await pilot.press("minus")
        await until(pilot, lambda: _rating(base, session_id) is None)
    app.settle()


def _rating(base: ScriptedBase, session_id: str) -> int | None:
    return (base.sessions.get(session_id).turns or [])[0].rating


async def test_a_session_is_exported_beside_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        app.chat.action_export("md")
        await pilot.pause()
        assert "Nothing to export" in said(app)
        await ask(pilot, PARENTAL)
        for kind in ("md", "md", "json"):
            app.chat.action_export(kind)
            await until(pilot, lambda: not app.background.busy)
        await until(pilot, lambda: said(app).count("Written to") == 3)
    app.settle()
    names = sorted(path.name for path in tmp_path.iterdir())  # noqa: ASYNC240
    stem = "How-many-weeks-of-parental-leave-do-we-get"
    assert names == [f"{stem}-2.md", f"{stem}.json", f"{stem}.md"]
    session = Session.model_validate_json((tmp_path / f"{stem}.json").read_text())
    assert (session.turns or [])[0].question == PARENTAL
    text = (tmp_path / f"{stem}.md").read_text()
    assert text.startswith(f"# {PARENTAL}\n\n## {PARENTAL}\n\nYou get **26 weeks")
    assert "> take twenty-six weeks at full pay, in up to three blocks," in text
    assert "changed since" not in text


async def test_many_turns_open_at_once_and_older_ones_come_on_request() -> None:
    base = handbook()
    session_id = base.sessions.create("chat", "Long")
    app = chat(base)
    for number in range(100):
        begun = base.sessions.begin_turn(session_id, f"Question {number}?", "chat")
        base.sessions.finish_turn(begun, state="cancelled", answer=None, error=None, hits=[])
    again = chat(base, session_id=session_id)
    async with again.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await until(pilot, lambda: len(again.chat.conversation.turns) == 100)
        await until(pilot, lambda: "Question 99?" in drawn(again))
        transcript = again.chat.transcript
        assert len(transcript.query("TurnBlock")) == 12
        transcript.scroll_home(animate=False)
        await pilot.pause()
        assert "▲ 88 earlier turns" in drawn(again)
        transcript.focus()
        await pilot.press("pageup")
        await until(pilot, lambda: len(transcript.query("TurnBlock")) == 24)
        await until(pilot, lambda: "Question 88?" in drawn(again))
        assert "Question 86?" not in drawn(again)
    again.settle()
    app.settle()


async def test_an_empty_picker_says_so() -> None:
    app = chat(handbook())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        shown = await dialog(pilot, app)
        assert "No sessions yet." in drawn(app)
        await pilot.press("enter", "ctrl+x", "ctrl+r")
        assert shown.is_current
        assert shown.query_one(OptionList).highlighted is None
        await pilot.press("ctrl+n")
        assert app.chat.is_current
    app.settle()
