"""What is changed from the palette: who answers, which workspace, how it looks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kebab_core.api import Configuration, InvalidInput, KnowledgeBase, load_configuration
from kebab_core.paths import named_workspace
from kebab_core.settings.state import UserState
from kebab_tui.habits import Habits
from kebab_tui.picker import Picker
from kebab_tui.program import build
from kebab_tui.theme_picker import ThemePicker
from kebab_tui.turn import Phase
from tests.kebab_tui.look import drawn, said
from tests.kebab_tui.stage import (
    PARENTAL,
    ask,
    chat,
    handbook,
    is_open,
    opened,
    store_documents,
    until,
)

Configured = Callable[..., Configuration]


@pytest.fixture
def configured(tmp_path: Path) -> Configured:
    """Settings of a workspace called `work` with one document; another, `home`, with two."""

    def load(workspace: str = "work", **overrides: object) -> Configuration:
        return load_configuration(
            workspace=workspace, cwd=tmp_path, overrides={"search.mode": "lexical", **overrides}
        )

    for name, texts in {"work": ["tungsten"], "home": ["parsnips", "leeks"]}.items():
        folder = tmp_path / name
        folder.mkdir()
        for text in texts:
            (folder / f"{text}.md").write_text(f"# {text}\n\nAll about {text} in {name}.\n")
        with KnowledgeBase.open(load(name)) as base:
            store_documents(base, folder)
    return load


async def test_another_model_answers_and_is_remembered() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        app.chat.action_choose_model()
        await until(pilot, lambda: isinstance(app.screen, Picker))
        assert "● ollama:qwen3:8b" in drawn(app)
        await pilot.press(*"openai:gpt-x", "enter")
        await until(pilot, lambda: "→ api.openai.com" in drawn(app))
        assert "go to api.openai.com" in said(app)
        await ask(pilot, PARENTAL)
        assert base.runs[0].options.model == "openai:gpt-x"
        # Quotes are for one answer; asking again goes back to the model.
        await pilot.press("ctrl+o")
        await until(pilot, lambda: len(base.runs) == 2 and app.chat.conversation.running is None)
        await pilot.press("ctrl+r")
        await until(pilot, lambda: len(base.runs) == 3)
        assert [run.options.model for run in base.runs[1:]] == ["quote", "openai:gpt-x"]
        app.chat.choose_model("quote")
        await until(pilot, lambda: "→" not in drawn(app).split("\n")[0])
    app.settle()
    assert base.configuration.state.remembered_model("ask") == "quote"


async def test_a_model_that_cant_be_is_told_and_the_former_one_stays() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        app.chat.choose_model("olama:x")
        await until(pilot, lambda: "ollama" in said(app))
        assert "qwen3:8b" in drawn(app).split("\n")[0]
        assert app.chat.model is None
    app.settle()


def test_what_the_settings_say_comes_first(tmp_path: Path) -> None:
    state = UserState.open()
    state.remember_look("theme", "kebab-light")
    state.remember_look("reduced_motion", "true")
    loaded = load_configuration(cwd=tmp_path)
    assert (Habits(loaded).theme, Habits(loaded).reduced_motion) == ("kebab-light", True)
    loaded = load_configuration(
        cwd=tmp_path, overrides={"tui.theme": "nord", "models.ask.model": "openai:gpt-x"}
    )
    habits = Habits(loaded)
    assert habits.theme == "nord"
    assert "tui.theme is set" in habits.keep_look("theme", "kebab-dark")
    assert "models.ask.model is set" in habits.keep_model("quote")
    assert UserState.open().remembered_look("theme") == "kebab-light"
    assert habits.keep_look("reduced_motion", "false") == ""
    assert not Habits(load_configuration(cwd=tmp_path)).reduced_motion


async def test_a_theme_that_was_taken_is_there_the_next_time(configured: Configured) -> None:
    app = build(configured())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: is_open(app), within=30)
        app.action_theme()
        await until(pilot, lambda: isinstance(app.screen, ThemePicker))
        await pilot.press("down", "enter")
        app.toggle_motion()
        await until(pilot, lambda: not app.background.busy, within=30)
    app.settle()
    again = build(configured())
    assert again.theme == "kebab-light"
    assert again.look.still


async def test_another_workspace_is_opened_without_leaving(configured: Configured) -> None:
    app = build(configured(**{"models.ask.model": "quote"}))
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: is_open(app), within=30)
        assert "work · 1 doc" in drawn(app)
        app.action_workspace()
        await until(pilot, lambda: isinstance(app.screen, Picker))
        await pilot.press(*"home", "enter")
        await until(pilot, lambda: "home · 2 docs" in drawn(app), within=30)
        await until(pilot, lambda: is_open(app), within=30)
        await ask(pilot, "What is there about parsnips?", wait=False)
        await until(
            pilot,
            lambda: app.chat.conversation.turns and app.chat.conversation.running is None,
            within=30,
        )
        assert app.chat.conversation.turns[0].phase is Phase.ANSWERED
        assert "parsnips in home" in app.chat.conversation.turns[0].text
        app.open_workspace("work")
        await until(pilot, lambda: "work · 1 doc" in drawn(app), within=30)
        assert app.chat.conversation.turns == []
        # One that isn't there yet is empty.
        app.open_workspace("fresh")
        await until(pilot, lambda: "No documents yet" in drawn(app), within=30)
        app.open_workspace("../work")
        await until(pilot, lambda: "can't be called" in said(app))
    app.settle()
    assert not (named_workspace("fresh").directory / "store").exists()


def test_a_workspace_has_a_plain_name(configured: Configured) -> None:
    with pytest.raises(InvalidInput, match="can't be called"):
        Habits(configured()).elsewhere("a/b")
