"""Every state of the chat, as a way to reach it. Each leaves the screen at rest."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeAlias

from textual.pilot import Pilot

from kebab_core.api import Gap, ToolFinished
from kebab_core.errors import ModelUnreachable
from kebab_core.testing import Reply, ScriptedBase
from kebab_core.testing.run import BEFORE_HITS
from kebab_core.types import ModelChoice
from kebab_core.wire.session import Session
from kebab_tui.add_source import AddSource
from kebab_tui.app import KebabApp
from kebab_tui.details import Details
from kebab_tui.help_screen import HelpScreen
from kebab_tui.picker import Picker
from kebab_tui.preview import Preview
from kebab_tui.save_note import SaveNote
from kebab_tui.sessions_dialog import SessionsDialog
from kebab_tui.sources import SourceList
from kebab_tui.theme_picker import ThemePicker
from tests.kebab_tui.look import drawn
from tests.kebab_tui.stage import (
    ANSWER,
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

Scene: TypeAlias = Callable[[Pilot[Any], KebabApp, ScriptedBase], Awaitable[None]]
SCENES: dict[str, Scene] = {}
BY_SIZE = ("sources", "pinned")
"""What looks different by the size that it was opened at."""


def scene(reach: Scene) -> Scene:
    SCENES[reach.__name__] = reach
    return reach


def stage_for(name: str, theme: str) -> tuple[KebabApp, ScriptedBase]:
    """The chat that a scene is played on."""
    clock = StillClock()
    base = handbook(clock)
    if name == "no_documents":
        base.documents_by_path, base.counts = {}, None
    if name == "thinking_of_starters":
        base.thinking = threading.Event()
    if name == "cloud":
        base.model = ModelChoice("anthropic", "claude-sonnet", "settings")
    return chat(base, clock, theme=theme), base


async def play(name: str, pilot: Pilot[Any], base: ScriptedBase) -> None:
    app = await opened(pilot, starters=name != "thinking_of_starters")
    await SCENES[name](pilot, app, base)
    await pilot.pause()


# --- without a question --------------------------------------------------------------------


@scene
async def empty(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """Documents, and nothing asked yet."""


@scene
async def no_documents(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """An empty corpus."""


@scene
async def cloud(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """Questions would leave the machine."""


# --- a question ----------------------------------------------------------------------------


@scene
async def answered(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, PARENTAL)
    await ask(pilot, PARTNER)


@scene
async def searching(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """Nothing has come back yet."""
    held = replace(base.replies[PARENTAL], gate=threading.Event(), tokens_before=BEFORE_HITS)
    base.reply(PARENTAL, held)
    await ask(pilot, PARENTAL, wait=False)
    await until(pilot, lambda: app.chat.run)


@scene
async def streaming(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    reply = base.replies[PARENTAL]
    read = ToolFinished("", "open", "hr/leave-policy.md", ms=300)
    held = replace(reply, gate=threading.Event(), tokens_before=27, tools=[read])
    base.reply(PARENTAL, held)
    await ask(pilot, PARENTAL, wait=False)
    await until(pilot, lambda: app.chat.conversation.running.pieces == 27)  # type: ignore[union-attr]
    _time_passes(app, 3.7)
    app.chat.tick()


@scene
async def waiting(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """A second question was sent while the first is answered."""
    await streaming(pilot, app, base)
    await ask(pilot, PARTNER, wait=False)


@scene
async def stopped(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await streaming(pilot, app, base)
    await pilot.press("escape")
    await until(pilot, lambda: app.chat.conversation.running is None)


@scene
async def not_found(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, LISBON)


@scene
async def failed(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    base.reply(PARENTAL, replace(base.replies[PARENTAL], error=unreachable()))
    await ask(pilot, PARENTAL)


@scene
async def uncited(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    base.reply(PARENTAL, replace(base.replies[PARENTAL], prose="Twenty-six weeks at full pay."))
    await ask(pilot, PARENTAL)


@scene
async def general(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """General knowledge, after nothing was found."""
    await ask(pilot, LISBON)
    caveat = "From general knowledge, not from your documents."
    base.reply(LISBON, Reply(prose="Offices in Lisbon tend to be casual.", caveats=[caveat]))
    await pilot.press("ctrl+g")
    await until(pilot, lambda: len(base.runs) == 2 and app.chat.conversation.running is None)


@scene
async def followups(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """Questions to go on with; the first is chosen."""
    next_ones = ["When do I have to tell my manager?", "Can the blocks be in two years?"]
    base.reply(PARENTAL, replace(base.replies[PARENTAL], followups=next_ones))
    await ask(pilot, PARENTAL)
    await pilot.press("down")


@scene
async def gap(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """An answer that leaves a part of the question open."""
    missing = Gap(reason="not-covered", suggested_title="Leave for adoptive parents")
    base.reply(PARENTAL, replace(base.replies[PARENTAL], gap=missing))
    await ask(pilot, PARENTAL)


@scene
async def researching(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """Steps of a research, the last of them under way."""
    tools = [
        ToolFinished("", "corpus", "office attire", (base.hit("hr/faq.md", 5),), ms=400),
        ToolFinished("", "open", "offices/lisbon.md", (base.hit("offices/lisbon.md", 5),), ms=100),
        ToolFinished("", "web", "lisbon office dress code", ms=900),
    ]
    held = replace(base.replies[LISBON], tools=tools, in_tool=2, gate=threading.Event())
    base.reply(LISBON, held)
    await ask(pilot, LISBON, wait=False)
    await until(pilot, lambda: "web" in _last_step(app))
    _time_passes(app, 1.3)
    app.chat.tick()


def _last_step(app: KebabApp) -> str:
    running = app.chat.conversation.running
    return running.steps[-1].what if running is not None and running.steps else ""


@scene
async def thinking_of_starters(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """The model still thinks of questions to begin with."""


@scene
async def scope(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """An answer from one folder; the next question names a document."""
    await ask(pilot, f"@hr/ {PARENTAL}")
    app.chat.prompt.fill("What has changed? @")
    await until(pilot, lambda: app.chat.completion.is_open)
    await pilot.press("h")


@scene
async def pinned(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """One passage pinned, one left out; the question can be asked again with that."""
    await ask(pilot, PARENTAL)
    await pilot.press("ctrl+b")
    await until(pilot, lambda: isinstance(app.focused, SourceList) and app.focused.items)
    await pilot.press("p", "down", "down", "x")


@scene
async def models(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """What could answer."""
    app.chat.action_choose_model()
    await until(pilot, lambda: isinstance(app.screen, Picker))


@scene
async def save_note(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, PARENTAL)
    await pilot.press("f6")
    await until(pilot, lambda: isinstance(app.screen, SaveNote))


@scene
async def wide_text(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """Korean, Japanese, emoji, combining marks, Hebrew and Arabic keep their columns."""
    base.documents_by_path = {
        **base.documents_by_path,
        "인사/육아 휴직.md": "# 육아 휴직\n\n모든 직원은 26주의 유급 휴가를 받습니다.\n",
        "見本/休暇🌴.md": "# 休暇\n\n有給休暇は二十六週間です。e\u0301te\u0301 👩‍👩‍👧 שלום مرحبا\n",
    }
    hits = [base.hit("인사/육아 휴직.md", 3), base.hit("見本/休暇🌴.md", 3, relevance=0.7)]
    prose = (
        "네, **26주**입니다 [1]. 休暇は二十六週間です 🌴 [2].\n\n"
        "- e\u0301te\u0301 reads the same\n"
        "- 👩‍👩‍👧 is one family\n- שלום and مرحبا run right to left\n"
    )
    base.reply("육아 휴직은 몇 주인가요?", Reply(hits, prose))
    await ask(pilot, "육아 휴직은 몇 주인가요?")


@scene
async def hostile(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """Escape sequences and markup from a file name, a passage and the model are only shown."""
    name = "notes/\x1b[31mred\x07[bold].md"
    text = "# [red]Title[/red]\n\nA \x1b]52;c;aGk=\x07 passage with [link=x]markup[/link].\n"
    base.documents_by_path = {**base.documents_by_path, name: text}
    prose = "It says \x1b[2J\x1b]0;owned\x07 and [bold red]this[/], `<b>html</b>` too [1]."
    base.reply("What\x1b[5m is it?", Reply([base.hit(name, 3)], prose))
    await ask(pilot, "What\x1b[5m is it?")


# --- windows -------------------------------------------------------------------------------


@scene
async def preview(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, PARENTAL)
    app.chat.transcript.focus()
    await pilot.press("1")
    await until(pilot, lambda: isinstance(app.screen, Preview) and app.screen.passage)


@scene
async def sources(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    """The pane with focus, or the sheet."""
    await ask(pilot, PARENTAL)
    await pilot.press("ctrl+b")
    await until(pilot, lambda: isinstance(app.focused, SourceList) and app.focused.items)
    await pilot.press("down")


@scene
async def sessions(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, PARENTAL)
    await pilot.press("ctrl+s")
    dialog = app.screen
    assert isinstance(dialog, SessionsDialog)
    await until(pilot, lambda: dialog.listed)
    dialog.show(_sessions(base))
    await pilot.pause()


@scene
async def help_page(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await pilot.press("f1")
    await until(pilot, lambda: isinstance(app.screen, HelpScreen))


@scene
async def palette(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await ask(pilot, PARENTAL)
    await pilot.press("ctrl+p")
    await until(pilot, lambda: "answer: copy with sources" in drawn(app))


@scene
async def details(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await failed(pilot, app, base)
    await pilot.press("f2")
    await until(pilot, lambda: isinstance(app.screen, Details))


@scene
async def add_source(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    await pilot.press("ctrl+f")
    await until(pilot, lambda: isinstance(app.screen, AddSource))


@scene
async def themes(pilot: Pilot[Any], app: KebabApp, base: ScriptedBase) -> None:
    app.push_screen(ThemePicker(app.look))


def unreachable() -> ModelUnreachable:
    return ModelUnreachable(
        "Nothing is listening at http://localhost:11434/v1.",
        "Start the server, or answer offline from the passages already found.",
    )


def _time_passes(app: KebabApp, seconds: float) -> None:
    clock = app.look.clock
    assert isinstance(clock, StillClock)
    clock.pass_by(seconds)


def _sessions(base: ScriptedBase) -> list[Session]:
    """Seven sessions over three months, seen from the still clock."""
    now = StillClock().now()
    wanted = [
        ("Parental leave", 2, timedelta(minutes=10)),
        ("Expenses for contractors", 5, timedelta(hours=2)),
        ("March all-hands summary", 3, timedelta(hours=19)),
        ("Purchase approvals 見積もり", 1, timedelta(hours=27, minutes=31)),
        ("Data retention rules", 8, timedelta(days=40)),
        ("Onboarding checklist", 4, timedelta(days=49)),
        (ANSWER.replace("\n", " "), 1, timedelta(days=120)),
    ]
    return [
        Session(
            session_id=f"s{number}",
            title=title,
            origin="chat",
            created_at=now - passed,
            updated_at=now - passed,
            turn_count=turns,
        )
        for number, (title, turns, passed) in enumerate(wanted)
    ]
