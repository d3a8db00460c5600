"""What comes after the first frame: counts, who answers, questions to begin with."""

from __future__ import annotations

import threading

from kebab_core.api import KebabError
from kebab_core.errors import ConfigInvalid, IOFailed
from kebab_core.testing import ScriptedBase
from kebab_core.types import ModelChoice
from kebab_tui.opening import from_titles, starters
from tests.kebab_tui.look import drawn, said
from tests.kebab_tui.stage import (
    PARENTAL,
    ask,
    chat,
    handbook,
    is_open,
    opened,
    until,
)

CLOUD = ModelChoice("anthropic", "claude-sonnet", "settings")


async def test_a_question_can_be_asked_while_the_model_thinks_of_starters() -> None:
    base = handbook()
    base.thinking = threading.Event()
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, starters=False)
        assert "A few questions to begin with" in drawn(app)
        app.chat.prompt.fill(PARENTAL)
        await pilot.press("enter")
        await until(pilot, lambda: "grounded" in drawn(app))
        base.thinking.set()
        await until(pilot, lambda: is_open(app))
        await pilot.press("ctrl+n")
        await until(pilot, lambda: "How do I get into the Lisbon office?" in drawn(app))
        assert "to begin with" not in drawn(app)
    app.settle()


async def test_starters_that_fail_are_said_and_leave_no_gap() -> None:
    base = handbook()

    def fail() -> list[str]:
        raise IOFailed("The titles can't be read.")

    base.starters = fail  # type: ignore[method-assign]
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        assert "The titles can't be read." in said(app)
        assert "to begin with" not in drawn(app)
    app.settle()


async def test_nothing_goes_to_a_cloud_before_the_person_asked_there() -> None:
    base = handbook()
    base.model = CLOUD
    assert starters(base) == from_titles(base)  # type: ignore[arg-type]
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        assert "go to api.anthropic.com" in drawn(app)
        assert "What does “Leave” say?" in drawn(app)
        await ask(pilot, PARENTAL)
    assert starters(base) == base.first_questions  # type: ignore[arg-type]
    app.settle()


async def test_a_question_waits_until_it_was_shown_where_it_goes() -> None:
    gate = threading.Event()

    class Slow(ScriptedBase):
        def model_choice(self, role: str = "ask", override: str | None = None) -> ModelChoice:
            gate.wait(10)
            return CLOUD

    base = Slow(handbook().configuration, {"a.md": "# A\n"}, replies=handbook().replies)
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.chat.report)
        app.chat.prompt.fill(PARENTAL)
        await pilot.press("enter")
        await pilot.pause()
        assert "your question is asked as soon as it can be" in drawn(app)
        assert base.runs == []
        gate.set()
        await until(pilot, lambda: base.runs)
        assert "→ api.anthropic.com" in drawn(app)
    app.settle()


async def test_a_model_that_cant_be_told_lets_the_question_say_why() -> None:
    why: KebabError = ConfigInvalid("There is no provider 'olama'.", "Did you mean 'ollama'?")

    class Unknown(ScriptedBase):
        def model_choice(self, role: str = "ask", override: str | None = None) -> ModelChoice:
            raise why

    base = Unknown(handbook().configuration, {"a.md": "# A\n"}, replies=handbook().replies)
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: is_open(app))
        assert "There is no provider 'olama'." in said(app)
        await ask(pilot, PARENTAL)
        assert base.runs
    app.settle()
