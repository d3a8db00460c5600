"""Every key that the footer or the help shows does what it says."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from textual.pilot import Pilot

from kebab_core.testing import ScriptedBase
from kebab_tui.add_source import AddSource
from kebab_tui.app import KebabApp
from kebab_tui.details import Details
from kebab_tui.help_screen import HelpScreen
from kebab_tui.keys import KEYS
from kebab_tui.preview import Preview
from kebab_tui.save_note import SaveNote
from kebab_tui.sessions_dialog import SessionsDialog
from kebab_tui.sources import SourceList
from kebab_tui.transcript import Transcript
from tests.kebab_tui.look import drawn, said
from tests.kebab_tui.scenes import unreachable
from tests.kebab_tui.stage import LISBON, PARENTAL, PARTNER, ask, chat, handbook, opened, until

Play: TypeAlias = Callable[[Pilot[Any], KebabApp, ScriptedBase], Awaitable[None]]
PLAYS: dict[str, Play] = {}
"""By the id of the key: a way to press it where it is shown, and to see what it did."""


def plays(key_id: str) -> Callable[[Play], Play]:
    def keep(play: Play) -> Play:
        PLAYS[key_id] = play
        return play

    return keep


def pressed(key_id: str) -> str:
    """The first key of `key_id`, by Textual's name."""
    (key,) = [one for one in KEYS if one.id == key_id]
    return key.keys.split(",")[0]


async def press(pilot: Pilot[Any], key_id: str) -> None:
    await pilot.press(pressed(key_id))


async def shows(pilot: Pilot[Any], kind: type) -> Any:
    await until(pilot, lambda: isinstance(pilot.app.screen, kind), what=kind.__name__)
    return pilot.app.screen


async def in_transcript(pilot: Pilot[Any], app: KebabApp) -> Transcript:
    await ask(pilot, PARENTAL)
    await ask(pilot, PARTNER)
    for _ in range(3):
        if app.focused is not app.chat.transcript:
            await press(pilot, "chat.pane")
    assert app.focused is app.chat.transcript
    return app.chat.transcript


async def in_sources(pilot: Pilot[Any], app: KebabApp) -> SourceList:
    await ask(pilot, PARENTAL)
    await press(pilot, "chat.sources")
    await until(pilot, lambda: isinstance(app.focused, SourceList))
    assert isinstance(app.focused, SourceList)
    return app.focused


async def in_preview(pilot: Pilot[Any], app: KebabApp) -> Preview:
    await in_sources(pilot, app)
    await press(pilot, "sources.preview")
    preview = await shows(pilot, Preview)
    assert isinstance(preview, Preview)
    await until(pilot, lambda: preview.passage)
    return preview


async def in_sessions(pilot: Pilot[Any]) -> SessionsDialog:
    await ask(pilot, PARENTAL)
    await press(pilot, "chat.new")
    await ask(pilot, PARTNER)
    await press(pilot, "chat.sessions")
    dialog = await shows(pilot, SessionsDialog)
    assert isinstance(dialog, SessionsDialog)
    await until(pilot, lambda: dialog.listed)
    return dialog


async def ran(pilot: Pilot[Any], base: ScriptedBase, number: int) -> None:
    await until(pilot, lambda: len(base.runs) == number, what=f"{number} runs")


def titles(base: ScriptedBase) -> list[str]:
    return [session.title for session in base.sessions.list()]


# --- anywhere ------------------------------------------------------------------------------


@plays("app.commands")
async def commands(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await press(pilot, "app.commands")
    await until(pilot, lambda: "Search for commands" in drawn(app))


@plays("app.help")
async def help_page(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await press(pilot, "app.help")
    await shows(pilot, HelpScreen)


@plays("app.quit")
async def quit_it(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await press(pilot, "app.quit")
    await until(pilot, lambda: app.return_code == 0 and app._exit)


@plays("chat.stop")
async def stop(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_transcript(pilot, app)
    await press(pilot, "chat.stop")
    assert app.focused is app.chat.prompt


@plays("chat.new")
async def new(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, PARENTAL)
    await press(pilot, "chat.new")
    await until(pilot, lambda: not app.chat.is_talking)


@plays("chat.sessions")
async def sessions(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await press(pilot, "chat.sessions")
    await shows(pilot, SessionsDialog)


@plays("chat.sources")
async def sources(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sources(pilot, app)
    await press(pilot, "chat.sources")
    await until(pilot, lambda: app.focused is app.chat.prompt)


@plays("chat.again")
async def again(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, PARENTAL)
    await press(pilot, "chat.again")
    await ran(pilot, base, 2)
    assert base.runs[1].question == PARENTAL


@plays("chat.web")
async def web(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await press(pilot, "chat.web")
    await until(pilot, lambda: "web on" in drawn(app))
    await press(pilot, "chat.web")
    await until(pilot, lambda: "web off" in drawn(app))
    await ask(pilot, LISBON)
    await press(pilot, "chat.web")
    await ran(pilot, base, 2)
    assert base.runs[1].options.web


@plays("chat.quotes")
async def quotes(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, PARENTAL)
    await press(pilot, "chat.quotes")
    await ran(pilot, base, 2)
    assert base.runs[1].options.model == "quote"


@plays("chat.general")
async def general(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, LISBON)
    await press(pilot, "chat.general")
    await ran(pilot, base, 2)
    assert base.runs[1].options.chance


@plays("chat.add")
async def add(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await press(pilot, "chat.add")
    await shows(pilot, AddSource)


@plays("chat.save")
async def save(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, PARENTAL)
    await press(pilot, "chat.save")
    await shows(pilot, SaveNote)


@plays("chat.details")
async def details(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    base.reply(PARENTAL, replace(base.replies[PARENTAL], error=unreachable()))
    await ask(pilot, PARENTAL)
    await press(pilot, "chat.details")
    await shows(pilot, Details)


@plays("chat.prompt")
async def prompt(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sources(pilot, app)
    await press(pilot, "chat.prompt")
    assert app.focused is app.chat.prompt


@plays("chat.pane")
async def pane(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_transcript(pilot, app)
    await press(pilot, "chat.pane")
    assert app.focused is not app.chat.transcript


# --- the prompt ----------------------------------------------------------------------------


@plays("prompt.send")
async def send(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    app.chat.prompt.fill(PARENTAL)
    await press(pilot, "prompt.send")
    await ran(pilot, base, 1)


@plays("prompt.newline")
async def newline(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await pilot.press("a")
    await press(pilot, "prompt.newline")
    await pilot.press("b")
    assert app.chat.prompt.text == "a\nb"


@plays("prompt.scope")
async def scope(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await until(pilot, lambda: app.chat.catalog)
    await press(pilot, "prompt.scope")
    await until(pilot, lambda: app.chat.completion.is_open)


@plays("prompt.history")
async def history(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, PARENTAL)
    await press(pilot, "prompt.history")
    await until(pilot, lambda: app.chat.prompt.text == PARENTAL)


@plays("prompt.leave")
async def leave(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await press(pilot, "prompt.leave")
    await until(pilot, lambda: app.chat.focused_place == "choices")


# --- the transcript ------------------------------------------------------------------------


@plays("transcript.up")
async def turn_up(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    transcript = await in_transcript(pilot, app)
    await pilot.press(*[pressed("transcript.up")] * 2)
    assert transcript.selected is app.chat.conversation.turns[0]


@plays("transcript.down")
async def turn_down(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    transcript = await in_transcript(pilot, app)
    await pilot.press(*[pressed("transcript.up")] * 2, pressed("transcript.down"))
    assert transcript.selected is app.chat.conversation.turns[1]


@plays("transcript.fold")
async def fold(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_transcript(pilot, app)
    assert "✓ search" not in drawn(app)
    await press(pilot, "transcript.fold")
    await until(pilot, lambda: "✓ search" in drawn(app))


@plays("transcript.open")
async def open_source(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_transcript(pilot, app)
    await pilot.press("2")
    preview = await shows(pilot, Preview)
    assert preview.hit.n == 2


@plays("transcript.edit")
async def edit(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_transcript(pilot, app)
    await press(pilot, "transcript.edit")
    assert app.chat.prompt.text == PARTNER


@plays("transcript.copy")
async def copy(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_transcript(pilot, app)
    await press(pilot, "transcript.copy")
    assert app.clipboard == app.chat.conversation.turns[1].text


@plays("transcript.good")
async def good(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await _rated(pilot, app, base, "transcript.good", 1)


@plays("transcript.bad")
async def bad(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await _rated(pilot, app, base, "transcript.bad", -1)


async def _rated(
    pilot: Pilot[Any], app: KebabApp, base: ScriptedBase, key_id: str, rating: int
) -> None:
    await in_transcript(pilot, app)
    await press(pilot, key_id)
    await until(pilot, lambda: "Marked as" in said(app))
    session = base.sessions.get(app.chat.conversation.session_id or "")
    assert [turn.rating for turn in session.turns or []] == [None, rating]


@plays("transcript.end")
async def end(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    transcript = await in_transcript(pilot, app)
    for _ in range(3):
        await ask(pilot, PARENTAL)
    transcript.focus()
    await pilot.press("home")
    await until(pilot, lambda: transcript.scroll_y == 0)
    await press(pilot, "transcript.end")
    await until(pilot, lambda: transcript.scroll_y == transcript.max_scroll_y > 0)


# --- questions to choose -------------------------------------------------------------------


@plays("choices.up")
async def choice_up(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await pilot.press("down", "down", pressed("choices.up"))
    assert app.chat.welcome.choices is not None
    assert app.chat.welcome.choices.chosen == 0


@plays("choices.down")
async def choice_down(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await pilot.press("down", pressed("choices.down"))
    assert app.chat.welcome.choices is not None
    assert app.chat.welcome.choices.chosen == 1


@plays("choices.ask")
async def choice_ask(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await pilot.press("down", pressed("choices.ask"))
    await ran(pilot, base, 1)
    assert base.runs[0].question == base.starters()[0]


# --- sources -------------------------------------------------------------------------------


@plays("sources.up")
async def source_up(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    found = await in_sources(pilot, app)
    await pilot.press("down", "down", pressed("sources.up"))
    assert found.highlighted == 1


@plays("sources.down")
async def source_down(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    found = await in_sources(pilot, app)
    await press(pilot, "sources.down")
    assert found.highlighted == 1


@plays("sources.preview")
async def source_preview(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    preview = await in_preview(pilot, app)
    assert preview.hit.n == 1


@plays("sources.editor")
async def source_editor(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sources(pilot, app)
    await press(pilot, "sources.editor")
    # The scripted documents have no file; the real terminal's tests open an editor.
    assert "no file on this machine" in said(app)


@plays("sources.copy")
async def source_copy(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sources(pilot, app)
    await press(pilot, "sources.copy")
    assert app.clipboard.startswith("hr/leave-policy.md#")


@plays("sources.pin")
async def source_pin(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sources(pilot, app)
    await press(pilot, "sources.pin")
    await until(pilot, lambda: "again with 1 pinned" in drawn(app))


@plays("sources.leave")
async def source_leave(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sources(pilot, app)
    await press(pilot, "sources.leave")
    await until(pilot, lambda: "again with 1 left out" in drawn(app))


@plays("sources.again")
async def source_again(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sources(pilot, app)
    await press(pilot, "sources.again")
    await ran(pilot, base, 2)


@plays("sources.cited")
async def source_cited(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    found = await in_sources(pilot, app)
    await press(pilot, "sources.cited")
    await until(pilot, lambda: len(found.items) == 2)


@plays("sources.filter")
async def source_filter(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    found = await in_sources(pilot, app)
    await press(pilot, "sources.filter")
    await pilot.press(*"phase back")
    await until(pilot, lambda: len(found.items) == 1)


# --- preview -------------------------------------------------------------------------------


@plays("preview.before")
async def hit_before(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    preview = await in_preview(pilot, app)
    await press(pilot, "preview.before")
    assert preview.hit.n == 5


@plays("preview.after")
async def hit_after(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    preview = await in_preview(pilot, app)
    await press(pilot, "preview.after")
    assert preview.hit.n == 2


@plays("preview.editor")
async def preview_editor(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_preview(pilot, app)
    await press(pilot, "preview.editor")
    await until(pilot, lambda: "no file on this machine" in said(app))


@plays("preview.copy")
async def preview_copy(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_preview(pilot, app)
    await press(pilot, "preview.copy")
    await until(pilot, lambda: app.clipboard.startswith("hr/leave-policy.md#"))


@plays("preview.close")
async def preview_close(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_preview(pilot, app)
    await press(pilot, "preview.close")
    assert app.chat.is_current


# --- sessions ------------------------------------------------------------------------------


@plays("sessions.open")
async def session_open(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sessions(pilot)
    await pilot.press("down", pressed("sessions.open"))
    await until(pilot, lambda: app.chat.conversation.title == PARENTAL)


@plays("sessions.new")
async def session_new(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sessions(pilot)
    await press(pilot, "sessions.new")
    await until(pilot, lambda: app.chat.is_current and not app.chat.is_talking)


@plays("sessions.rename")
async def session_rename(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sessions(pilot)
    await press(pilot, "sessions.rename")
    await pilot.press(*" now", "enter")
    await until(pilot, lambda: f"{PARTNER} now" in titles(base))


@plays("sessions.delete")
async def session_delete(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sessions(pilot)
    await press(pilot, "sessions.delete")
    await pilot.pause()
    assert PARTNER in titles(base)
    assert "Delete “" in drawn(app)
    await press(pilot, "sessions.delete")
    await until(pilot, lambda: titles(base) == [PARENTAL])


@plays("sessions.close")
async def session_close(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await in_sessions(pilot)
    await press(pilot, "sessions.close")
    assert app.chat.is_current


# --- all of them ---------------------------------------------------------------------------


def test_no_key_is_left_out() -> None:
    assert {key.id for key in KEYS} == set(PLAYS)


@pytest.mark.parametrize("key_id", [key.id for key in KEYS])
async def test_it_does_what_it_says(key_id: str) -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await PLAYS[key_id](pilot, app, base)
    app.settle()
