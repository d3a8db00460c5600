"""A question on its way: what is drawn, what is said, what is kept."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from kebab_core.api import ToolFinished
from kebab_core.errors import InvalidInput, IOFailed, KebabError, ModelUnreachable
from kebab_core.sessions import MemorySessions
from kebab_core.testing import Reply, ScriptedBase
from kebab_core.testing.run import BEFORE_HITS
from kebab_tui.app import KebabApp
from kebab_tui.source_item import SourceItem
from kebab_tui.turn import Phase
from tests.kebab_tui.look import drawn, said, status
from tests.kebab_tui.stage import (
    LISBON,
    PARENTAL,
    PARTNER,
    StillClock,
    ask,
    chat,
    handbook,
    opened,
    until,
)


def held(base: ScriptedBase, question: str, tokens: int, **changes: Any) -> threading.Event:
    """Hold the answer to `question` after so many pieces; setting the event lets it go on."""
    gate = threading.Event()
    base.reply(
        question, replace(base.replies[question], gate=gate, tokens_before=tokens, **changes)
    )
    return gate


def lit(app: KebabApp) -> list[int | None]:
    return [item.hit.n for item in app.chat.pane.query(SourceItem) if item.is_lit]


async def writing(pilot: Pilot[Any], app: KebabApp, pieces: int) -> None:
    await until(
        pilot,
        lambda: app.chat.conversation.running and app.chat.conversation.running.pieces == pieces,
        what=f"{pieces} pieces",
    )


async def test_sources_are_there_before_the_first_word() -> None:
    base = handbook()
    gate = held(base, PARENTAL, 0)
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        await until(pilot, lambda: len(app.chat.pane.query(SourceItem)) == 5)
        turn = app.chat.conversation.running
        assert turn is not None
        assert turn.phase is Phase.WRITING
        assert turn.text == ""
        assert lit(app) == []
        assert "Waiting for the model" in status(app)
        assert "hr/leave-policy.md" in drawn(app)
        gate.set()
        await until(pilot, lambda: app.chat.conversation.running is None)
    app.settle()


async def test_a_passage_lights_up_when_its_marker_arrives() -> None:
    base = handbook()
    gate = held(base, PARENTAL, 17)  # up to and with "[1]."
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        await writing(pilot, app, 17)
        assert lit(app) == [1]
        assert "● 1" in drawn(app)
        assert "○ 2" in drawn(app)
        gate.set()
        await until(pilot, lambda: app.chat.conversation.running is None)
        assert lit(app) == [1, 2]
        assert "2 cited · hybrid" in drawn(app)
        assert "grounded · 2 sources" in drawn(app)
    app.settle()


async def test_escape_stops_and_keeps_what_was_written() -> None:
    base = handbook()
    held(base, PARENTAL, 16)
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        await writing(pilot, app, 16)
        await pilot.press("escape")
        await until(pilot, lambda: app.chat.conversation.running is None)
        turn = app.chat.conversation.turns[0]
        assert turn.phase is Phase.STOPPED
        assert "26 weeks" in turn.text
        assert "Stopped" in status(app)
        session = base.sessions.get(app.chat.conversation.session_id or "")
        assert session.turns is not None
        assert session.turns[0].state == "cancelled"
        assert session.turns[0].answer is not None
        assert session.turns[0].answer.refusal_reason == "llm_stream_aborted"
    app.settle()


async def test_escape_stops_also_while_nothing_has_come_back() -> None:
    base = handbook()
    held(base, PARENTAL, BEFORE_HITS)
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        # At once: the run itself may not have started yet.
        await pilot.press("escape")
        await until(pilot, lambda: app.chat.conversation.running is None)
        assert app.chat.conversation.turns[0].phase is Phase.STOPPED
    app.settle()


async def test_a_question_sent_meanwhile_waits_and_is_asked_next() -> None:
    base = handbook()
    gate = held(base, PARENTAL, 5)
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        await writing(pilot, app, 5)
        await ask(pilot, PARTNER, wait=False)
        assert "waits until this answer ends" in drawn(app)
        assert "1 question waiting" in status(app)
        assert len(base.runs) == 1
        gate.set()
        await until(pilot, lambda: len(base.runs) == 2)
        await until(pilot, lambda: app.chat.conversation.running is None)
        assert [turn.phase for turn in app.chat.conversation.turns] == [Phase.ANSWERED] * 2
        assert base.runs[1].question == PARTNER
    app.settle()


async def test_a_waiting_question_can_be_taken_back() -> None:
    base = handbook()
    gate = held(base, PARENTAL, 5)
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        await writing(pilot, app, 5)
        await ask(pilot, PARTNER, wait=False)
        await pilot.press("up")
        await until(pilot, lambda: app.chat.prompt.text == PARTNER)
        assert len(app.chat.conversation.turns) == 1
        gate.set()
        await until(pilot, lambda: app.chat.conversation.running is None)
        assert len(base.runs) == 1
    app.settle()


async def test_follow_ups_stay_in_the_session() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        await ask(pilot, PARTNER)
        first, second = (run.options for run in base.runs)
        assert first.session_id == second.session_id == app.chat.conversation.session_id
        assert first.origin == "chat"
        assert first.followups is True
        session = base.sessions.get(first.session_id or "")
        assert [turn.question for turn in session.turns or []] == [PARENTAL, PARTNER]
        assert session.title == PARENTAL
    app.settle()


async def test_a_dead_model_leaves_a_block_and_the_question_in_the_prompt() -> None:
    base = handbook()
    dead = ModelUnreachable("Nothing is listening at http://localhost:1.", "Start the server.")
    base.reply(PARENTAL, replace(base.replies[PARENTAL], error=dead))
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        shown = drawn(app)
        assert "The model did not answer" in shown
        assert "model_unreachable" in shown
        assert "Nothing is listening at http://localhost:1." in shown
        assert "Start the server." in shown
        assert "● unreachable" in shown
        assert "stopped after 0 tokens" in shown
        assert app.chat.prompt.text == PARENTAL
        # Its sources are there all the same, and the next try needs one key.
        assert len(app.chat.pane.query(SourceItem)) == 5
        base.reply(PARENTAL, replace(base.replies[PARENTAL], error=None))
        await pilot.press("ctrl+r")
        await until(pilot, lambda: len(base.runs) == 2)
        await until(pilot, lambda: app.chat.conversation.running is None)
        assert app.chat.conversation.turns[-1].phase is Phase.ANSWERED
        assert app.chat.prompt.text == ""
        assert "● ready" in drawn(app)
    app.settle()


async def test_what_was_typed_meanwhile_is_kept_when_a_question_fails() -> None:
    base = handbook()
    gate = held(base, PARENTAL, 3, error=ModelUnreachable("Gone.", None))
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        await writing(pilot, app, 3)
        app.chat.prompt.fill("half a thought")
        gate.set()
        await until(pilot, lambda: app.chat.conversation.running is None)
        assert app.chat.prompt.text == "half a thought"
        assert "You get" in app.chat.conversation.turns[0].text
    app.settle()


async def test_quotes_answer_without_the_model() -> None:
    base = handbook()
    base.reply(PARENTAL, replace(base.replies[PARENTAL], error=ModelUnreachable("Gone.", None)))
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        await pilot.press("ctrl+o")
        await until(pilot, lambda: len(base.runs) == 2)
        assert base.runs[1].options.model == "quote"
        assert base.runs[1].question == PARENTAL
    app.settle()


async def test_an_abstention_offers_the_next_steps() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, LISBON)
        shown = drawn(app)
        assert "Not in your documents" in shown
        assert "found nothing that answers this" in shown
        assert "nearest 2 · bar 0.55" in shown
        assert "○ Not found" in status(app)
        assert lit(app) == []
        await pilot.press("ctrl+t")
        await until(pilot, lambda: len(base.runs) == 2)
        assert base.runs[1].options.web is True
        await until(pilot, lambda: app.chat.conversation.running is None)
        await pilot.press("ctrl+g")
        await until(pilot, lambda: len(base.runs) == 3)
        assert base.runs[2].options.chance is True
        assert base.runs[2].question == LISBON
    app.settle()


async def test_the_web_is_switched_where_there_is_nothing_to_try() -> None:
    base = handbook()
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        assert "web off" in drawn(app)
        await pilot.press("ctrl+t")
        assert "web on" in drawn(app)
        await ask(pilot, PARENTAL)
        assert base.runs[0].options.web is True
    app.settle()


async def test_resized_to_almost_nothing_while_it_streams() -> None:
    base = handbook()
    gate = held(base, PARENTAL, 12)
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        await writing(pilot, app, 12)
        for width, height in [(40, 12), (200, 60), (20, 5), (1, 1), (80, 24), (40, 12)]:
            await pilot.resize_terminal(width, height)
            await pilot.pause()
        gate.set()
        await until(pilot, lambda: app.chat.conversation.running is None)
        assert app.chat.conversation.turns[0].text == base.replies[PARENTAL].prose
        assert "grounded" in drawn(app)
        assert "✓ Answered" in status(app)
    app.settle()


async def test_tool_steps_show_while_they_run_and_fold_when_done() -> None:
    base = handbook()
    tools = [
        ToolFinished("", "open", "hr/leave-policy.md", ms=300),
        ToolFinished("", "web", "parental leave", ms=900, error="Blocked: a private address"),
    ]
    gate = held(base, PARENTAL, 2, tools=tools)
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        await writing(pilot, app, 2)
        shown = drawn(app)
        assert "✓ read hr/leave-policy.md" in shown
        assert "✗ web “parental leave”" in shown
        assert "Blocked: a private address" in shown
        gate.set()
        await until(pilot, lambda: app.chat.conversation.running is None)
        assert "▸ 3 steps" in drawn(app)
        assert "Blocked" not in drawn(app)
        app.chat.transcript.focus()
        await pilot.press("space")
        assert "Blocked" in drawn(app)
    app.settle()


async def test_quitting_cancels_the_run() -> None:
    base = handbook()
    held(base, PARENTAL, 5)
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL, wait=False)
        await writing(pilot, app, 5)
        await pilot.press("ctrl+q")
    app.settle()
    assert base.runs[0].was_cancelled
    assert base.closed
    sessions = base.sessions.list()
    assert [turn.state for turn in base.sessions.get(sessions[0].session_id).turns or []] == [
        "cancelled"
    ]


async def test_a_question_sent_before_the_base_is_open_waits_for_it() -> None:
    base = handbook()
    ready = threading.Event()

    def open_slowly() -> ScriptedBase:
        ready.wait(5)
        return base

    app = KebabApp(open_slowly, clock=StillClock(), reduced_motion=True)  # type: ignore[arg-type]
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "opening" in drawn(app)
        await ask(pilot, PARENTAL, wait=False)
        assert "Opening" in status(app)
        ready.set()
        await until(pilot, lambda: app.chat.conversation.turns[0].phase is Phase.ANSWERED)
    app.settle()


@pytest.mark.parametrize(
    "failure",
    [
        InvalidInput("A question has at most 8,000 characters; this one has 9,000.", "Shorten it."),
        KebabError("Something else.", None),
    ],
)
async def test_a_question_that_cant_be_asked_makes_no_session(failure: KebabError) -> None:
    class Refusing(ScriptedBase):
        def ask(self, *given: Any, **more: Any) -> Any:
            raise failure

    base = Refusing(handbook().configuration)
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "x")
        assert app.chat.conversation.turns[0].phase is Phase.FAILED
        assert failure.message.split(";")[0] in drawn(app)
        assert base.sessions.list() == []
        assert app.chat.prompt.text == "x"
    app.settle()


async def test_a_bug_in_a_run_ends_the_turn_and_tells_no_secret() -> None:
    class Broken(ScriptedBase):
        def ask(self, *given: Any, **more: Any) -> Any:
            raise RuntimeError("sk-secret-key")

    app = chat(Broken(handbook().configuration))
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "x")
        assert "internal" in drawn(app)
        assert "RuntimeError" in drawn(app)
        assert "secret" not in drawn(app)
    app.settle()


async def test_a_history_that_cant_be_written_costs_a_word_not_the_answer() -> None:
    class ReadOnly(MemorySessions):
        def create(self, *given: Any, **more: Any) -> str:
            raise IOFailed("The folder is read-only.", "Choose another with --data-dir.")

    base = handbook(sessions=ReadOnly())
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        assert app.chat.conversation.turns[0].phase is Phase.ANSWERED
        assert base.runs[0].options.save is False
        assert "This conversation isn't kept" in said(app)
    app.settle()


async def test_a_long_answer_is_drawn_whole_in_the_order_it_came() -> None:
    base = handbook()
    words = [f"w{number}{' ' if number % 40 else chr(10) * 2}" for number in range(3000)]
    base.reply("long", Reply([base.hit("hr/faq.md", 5)], "".join(words), pieces=words))
    app = chat(base)
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await ask(pilot, "long", wait=False)
        await until(pilot, lambda: app.chat.conversation.running is None, within=20)
        turn = app.chat.conversation.turns[0]
        assert turn.text == "".join(words)
        assert turn.pieces == 3000
        assert "w2999" in drawn(app)
    app.settle()


async def test_an_uncited_answer_says_so() -> None:
    base = handbook()
    base.reply(PARENTAL, replace(base.replies[PARENTAL], prose="Twenty-six weeks."))
    app = chat(base)
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        shown = drawn(app)
        assert "References (retrieved, not marked by the model)" in shown
        assert "0 cited · 5 retrieved · 1 search" in shown
        assert lit(app) == []
    app.settle()
