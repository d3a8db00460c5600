"""Typing: never locked, history at the edges, pastes of any kind."""

from __future__ import annotations

from textual import events

from tests.kebab_tui.look import drawn
from tests.kebab_tui.stage import PARENTAL, PARTNER, ask, chat, handbook, opened, until


async def test_enter_sends_and_two_keys_break_the_line() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        base.default = base.replies[PARENTAL]
        await pilot.press("a", "ctrl+j", "b", "shift+enter", "c", "enter")
        await until(pilot, lambda: base.runs)
        assert base.runs[0].question == "a\nb\nc"
        assert app.chat.prompt.text == ""
        await pilot.press("space", "enter")
        await pilot.pause()
        assert len(base.runs) == 1
    app.settle()


async def test_it_grows_to_six_rows_and_no_further() -> None:
    app = chat(handbook())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        prompt = app.chat.prompt
        heights = []
        for rows in (1, 2, 6, 30):
            prompt.fill("\n".join(str(row) for row in range(rows)))
            await pilot.pause()
            heights.append(prompt.size.height)
        assert heights == [1, 2, 6, 6]
        assert "29" in drawn(app)
    app.settle()


async def test_history_is_walked_at_the_edges() -> None:
    app = chat(handbook())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        await ask(pilot, PARTNER)
        prompt = app.chat.prompt
        prompt.fill("a thought\non two lines")
        await pilot.press("up")  # within the text first
        assert prompt.text == "a thought\non two lines"
        await pilot.press("up")
        assert prompt.text == PARTNER
        await pilot.press("up")
        assert prompt.text == PARENTAL
        await pilot.press("up")
        assert prompt.text == PARENTAL
        await pilot.press("down", "down")
        assert prompt.text == "a thought\non two lines"
    app.settle()


async def test_down_leaves_for_the_starters_and_enter_asks_one() -> None:
    base = handbook()
    base.default = base.replies[PARENTAL]
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("down")
        assert app.chat.focused_place == "choices"
        await pilot.press("down", "down", "up", "enter")
        await until(pilot, lambda: base.runs)
        assert base.runs[0].question == base.starters()[1]
        assert app.focused is app.chat.prompt
    app.settle()


async def test_past_the_last_starter_is_the_prompt_again() -> None:
    app = chat(handbook())
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pilot.press("down", "j", "j", "j", "j")
        assert app.focused is app.chat.prompt
    app.settle()


async def test_a_paste_of_many_lines_is_one_question_and_drives_nothing() -> None:
    base = handbook()
    base.default = base.replies[PARENTAL]
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        pasted = "\r\n".join(f"line {number}" for number in range(200)) + "\x1b[2J"
        app.post_message(events.Paste(pasted))
        await until(pilot, lambda: "line 199" in app.chat.prompt.text)
        assert app.chat.prompt.text.count("\n") == 199
        assert "\x1b" not in app.chat.prompt.text
        await pilot.press("enter")
        await until(pilot, lambda: base.runs)
        assert base.runs[0].question.startswith("line 0\nline 1\n")
        assert base.runs[0].question.endswith("line 199␛[2J")
    app.settle()


async def test_letters_typed_just_before_enter_are_sent_with_it() -> None:
    base = handbook()
    base.default = base.replies[PARENTAL]
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        for key, character in [("a", "a"), ("b", "b"), ("enter", "\r")]:
            app.post_message(events.Key(key, character))
        await until(pilot, lambda: base.runs)
        assert base.runs[0].question == "ab"
    app.settle()
