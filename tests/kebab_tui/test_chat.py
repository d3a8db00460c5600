"""The screen as a whole: opening, hints, windows, themes, leaving."""

from __future__ import annotations

import threading

import pytest

from kebab_core.errors import ConfigInvalid, IndexIncompatible, IOFailed
from kebab_core.testing import Reply, ScriptedBase
from kebab_core.types import ModelChoice
from kebab_tui.app import KebabApp
from kebab_tui.details import Details
from kebab_tui.help_screen import HelpScreen
from kebab_tui.sessions_dialog import SessionsDialog
from kebab_tui.theme_picker import ThemePicker
from kebab_tui.transcript import Transcript
from tests.kebab_tui.look import drawn, said, status
from tests.kebab_tui.scenes import play, stage_for
from tests.kebab_tui.stage import (
    LISBON,
    PARENTAL,
    SIZES,
    StillClock,
    ask,
    chat,
    configuration,
    handbook,
    opened,
    until,
)


async def test_an_empty_corpus_leads_to_the_first_answer() -> None:
    base = ScriptedBase(configuration())
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "No documents yet" in drawn(app)
        assert "kebab ingest PATH" in drawn(app)
        await pilot.press("ctrl+f")
        await pilot.pause()
        await pilot.press(*"notes", "enter")
        await until(pilot, lambda: "1 document ·" in drawn(app))
        assert "1 new, 0 updated, 0 removed" in said(app)
        assert 'What does "notes" say?' in drawn(app)
        base.default = Reply([base.hit("notes", 1)], "It is about notes [1].")
        await pilot.press("down", "enter")
        await until(pilot, lambda: "about notes [1]" in drawn(app))
    app.settle()


async def test_a_question_that_wasnt_found_is_asked_again_after_adding() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, LISBON)
        await pilot.press("ctrl+f")
        await pilot.pause()
        await pilot.press(*"dress.md", "enter")
        await until(pilot, lambda: len(base.runs) == 2)
        assert base.runs[1].question == LISBON
    app.settle()


async def test_escape_stops_reading_documents() -> None:
    base = handbook()
    go_on, reading = threading.Event(), threading.Event()

    def slowly(seconds: float) -> None:
        reading.set()
        go_on.wait(5)

    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        base.pause = slowly
        app.chat.start_ingest("a.md")
        await until(pilot, reading.is_set)
        assert "● reading" in drawn(app)
        assert "1 file to read" in status(app)
        await pilot.press("escape")
        go_on.set()
        await until(pilot, lambda: app.chat.cancel_ingest is None)
        await pilot.pause()
        assert "● ready" in drawn(app)
    app.settle()


async def test_what_cant_be_opened_is_said_and_the_chat_stays() -> None:
    broken = IOFailed("The database can't be read.", "Move it away and try again.")

    def fail() -> ScriptedBase:
        raise broken

    app = KebabApp(fail, clock=StillClock(), reduced_motion=True)  # type: ignore[arg-type]
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "can't open" in drawn(app))
        assert "The database can't be read." in status(app)
        await pilot.press("f2")
        assert isinstance(app.screen, Details)
        assert "Move it away and try again." in drawn(app)
    app.settle()


async def test_a_corpus_that_cant_be_counted_is_said() -> None:
    made = IndexIncompatible("The corpus was made by another model.", "Run `kebab ingest --force`.")
    base = handbook()
    base.opening_error = made
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "another model" in said(app))
        await until(pilot, lambda: "can't read" in drawn(app))
    app.settle()


async def test_where_questions_go_is_shown_before_the_first_one() -> None:
    base = handbook()
    base.model = ModelChoice("openai", "gpt-5", "settings", "Answered by gpt-5.")
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        assert "→ api.openai.com" in drawn(app)
        assert "go to api.openai.com" in drawn(app)
        assert "Answered by gpt-5." in said(app)
    app.settle()


async def test_the_web_addresses_of_own_servers_are_shown_too() -> None:
    providers = {"openai-compatible": {"base_url": "https://llm.example.com/v1"}}
    base = handbook()
    base.configuration = configuration(providers=providers)
    base.model = ModelChoice("openai-compatible", "qwen", "settings")
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        assert "→ llm.example.com" in drawn(app)
    app.settle()


async def test_help_lists_every_key_and_details_show_the_last_error() -> None:
    app = chat(handbook(), keys={"chat.sources": "f4"})
    async with app.run_test(size=(120, 80)) as pilot:
        await opened(pilot)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        shown = drawn(app)
        assert "f4" in shown
        assert "^b or f3" not in shown
        for words in ("send the question", "the hit after", "delete, after a question"):
            assert words in shown
        await pilot.press("escape", "f2")
        await pilot.pause()
        assert "Nothing has failed." in said(app)
    app.settle()


async def test_the_persons_own_keys_work() -> None:
    app = chat(handbook(), keys={"chat.sessions": "f4", "prompt.send": "f5"})
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "f4 Sessions" in drawn(app)
        assert "f5 Send" in drawn(app)
        await pilot.press("f4")
        await until(pilot, lambda: isinstance(app.screen, SessionsDialog))
        await pilot.press("escape")
        app.chat.prompt.fill(PARENTAL)
        await pilot.press("f5")
        await until(pilot, lambda: "grounded" in drawn(app))
    app.settle()


def test_an_unknown_key_id_is_refused() -> None:
    with pytest.raises(ConfigInvalid, match="sesions"):
        chat(handbook(), keys={"chat.sesions": "f4"})


async def test_a_click_on_a_hint_presses_its_key() -> None:
    app = chat(handbook())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        row = drawn(app).split("\n")[23]
        await pilot.click(offset=(row.index("f1 Help") + 3, 23))
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
    app.settle()


async def test_themes_are_shown_as_one_goes_and_brought_back() -> None:
    app = chat(handbook())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        app.action_theme()
        await until(pilot, lambda: isinstance(app.screen, ThemePicker))
        await pilot.press("down")
        assert app.theme == "kebab-light"
        await pilot.press("escape")
        assert app.theme == "kebab-dark"
        app.action_theme()
        await until(pilot, lambda: isinstance(app.screen, ThemePicker))
        await pilot.press("down", "enter")
        assert app.theme == "kebab-light"
        assert app.chat.is_current
    app.settle()


async def test_every_command_is_an_area_and_a_verb_and_does_something() -> None:
    app = chat(handbook())
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        commands = list(app.get_system_commands(app.chat))
        assert all(": " in command.title and command.help for command in commands)
        titles = [command.title for command in commands]
        assert len(set(titles)) == len(titles)
        assert {"session: new", "sources: add", "web: turn on", "view: theme"} <= set(titles)
        await pilot.press("ctrl+p")
        await pilot.pause(0.2)
        await pilot.press(*"web turn on")
        await until(pilot, lambda: "web: turn on" in drawn(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.chat.web)
    app.settle()


async def test_a_reader_who_scrolled_up_stays_put_and_end_follows_again() -> None:
    base = handbook()
    lines = [f"item {number}\n\n" for number in range(60)]
    gate = threading.Event()
    base.reply("list", Reply(prose="".join(lines), pieces=lines, gate=gate, tokens_before=30))
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "list", wait=False)
        await until(pilot, lambda: "item 29" in drawn(app))
        transcript = app.chat.query_one(Transcript)
        transcript.focus()
        await pilot.press("pageup", "pageup")
        await until(pilot, lambda: "item 29" not in drawn(app))
        await until(pilot, lambda: "↓ new lines" in drawn(app))
        place, read = transcript.scroll_y, _read(app)
        assert any("item " in row for row in read)
        gate.set()
        await until(pilot, lambda: app.chat.conversation.running is None, within=15)
        await pilot.pause()
        assert abs(transcript.scroll_y - place) <= 1
        assert _read(app) == read
        await pilot.press("end")
        await until(pilot, lambda: "item 59" in drawn(app))
        assert "↓ new lines" not in drawn(app)
    app.settle()


def _read(app: KebabApp) -> list[str]:
    """What a reader sees of the transcript; its scrollbar in the last column isn't read."""
    area = app.chat.transcript.scrollable_content_region
    rows = drawn(app).split("\n")[area.y : area.bottom]
    return [row[area.x : area.right].rstrip() for row in rows]


async def test_a_crash_is_told_without_the_values_of_its_locals() -> None:
    app = chat(handbook())

    def crash() -> None:
        secret = "sk-secret"  # noqa: F841
        raise RuntimeError("boom")

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await opened(pilot)
            app.chat.call_later(crash)
            await pilot.pause()
            await pilot.pause()

    with pytest.raises(RuntimeError, match="boom"):
        await run()
    assert isinstance(app.crash, RuntimeError)
    assert app._exit_renderables == []
    app.settle()


@pytest.mark.parametrize("name", ["answered", "hostile", "palette", "preview", "sessions", "empty"])
async def test_hardly_any_room_crashes_nothing(name: str) -> None:
    app, base = stage_for(name, "kebab-dark")
    async with app.run_test(size=SIZES["40x12"]) as pilot:
        await play(name, pilot, base)
        for size in [(40, 12), (10, 4), (1, 1), (200, 50)]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
    app.settle()


async def test_nothing_from_outside_drives_the_terminal() -> None:
    app, base = stage_for("hostile", "kebab-dark")
    async with app.run_test(size=(120, 36)) as pilot:
        await play("hostile", pilot, base)
        screens = [drawn(app)]
        app.chat.transcript.focus()
        await pilot.press("1")
        await pilot.pause(0.1)
        screens.append(drawn(app))
        await pilot.press("escape", "ctrl+s")
        await pilot.pause(0.2)
        screens.append(drawn(app))
        assert not [c for shown in screens for c in shown if ord(c) < 32 and c != "\n"]
        assert "\x9b" not in "".join(screens)
        assert "␛[31mred" in screens[0]
        assert "[bold red]this[/]" in screens[0]
        assert "<b>html</b>" in screens[0]
        assert "[link=x]markup[/link]" in screens[1]
        assert "What␛[5m is it?" in screens[2]
        await pilot.press("escape")
        app.chat.action_copy_answer()
        assert "\x1b" not in app.clipboard
    app.settle()


async def test_no_colour_still_tells_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app, base = stage_for("streaming", "kebab-dark")
    async with app.run_test(size=(120, 36)) as pilot:
        await play("streaming", pilot, base)
        colours = {
            segment.style.color.triplet
            for strip in app.screen._compositor.render_strips(app.size)
            for segment in strip.apply_filter(app.get_line_filters()[0], app.background_colors[0])
            if segment.style is not None and segment.style.color and segment.style.color.triplet
        }
        assert all(len({colour.red, colour.green, colour.blue}) == 1 for colour in colours)
        assert "● 1" in drawn(app)
        assert "○ 3" in drawn(app)
    app.settle()


async def test_motion_can_be_switched_off_and_on() -> None:
    app = chat(handbook(), reduced_motion=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        blinks = []
        for _ in range(2):
            app.toggle_motion()
            blinks.append(app.chat.prompt.cursor_blink)
        assert blinks == [False, True]
    app.settle()
