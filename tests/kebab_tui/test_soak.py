"""Hours of use in minutes: nothing grows, nothing is left behind, every turn is whole."""

from __future__ import annotations

import gc
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from textual.pilot import Pilot

from kebab_core.api import Configuration, KnowledgeBase, load_configuration
from kebab_core.testing import ScriptedModel
from kebab_core.testing.model import Received
from kebab_core.testing.script import Say, Step
from kebab_tui.app import KebabApp
from kebab_tui.preview import Preview
from kebab_tui.program import build
from kebab_tui.sessions_dialog import SessionsDialog
from kebab_tui.turn import Phase
from tests.kebab_tui.stage import HANDBOOK, WORDS, is_open, store_documents, until

QUESTIONS = 200
WARM = 40
"""Questions after which the program has all it ever needs."""
GROWTH = 1.25
"""Of the memory after `WARM` questions, at the most, when all are asked."""
TAIL = '\n\n---\n{"cited": [1], "followups": ["And then?"], "gap": null}'
POOL = 16 + 32
"""Threads that runs and event loops may have at most."""
PATIENCE_S = 60.0


def answer(request: Received) -> list[Step]:
    """Sixty words, ten of them with a marker, a moment apart, so that there is time to stop."""
    words = [f"word{number} {'[1] ' if number % 6 == 0 else ''}" for number in range(60)]
    return [Say(words, every=0.002), Say(TAIL)]


@pytest.fixture
def configuration(tmp_path: Path) -> Callable[[str], Configuration]:
    documents = tmp_path / "docs"
    for path, text in HANDBOOK.items():
        file = documents / path.replace(".pdf", ".md")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def load(base_url: str) -> Configuration:
        return load_configuration(
            data_dir=tmp_path / "data",
            cwd=tmp_path,
            overrides={
                "models.ask.model": "openai-compatible:scripted",
                "models.starters.model": "quote",
                "providers.openai-compatible.base_url": base_url,
                "search.mode": "lexical",
                "ask.mode": "single",
                "ask.score_gate": 0.0,
                "tui.reduced_motion": True,
            },
        )

    with KnowledgeBase.open(load("http://127.0.0.1:9/v1")) as base:
        store_documents(base, documents)
    return load


@pytest.mark.long
@pytest.mark.timeout(1800)
async def test_two_hundred_questions_leave_nothing_behind(
    configuration: Callable[[str], Configuration],
) -> None:
    chance = random.Random(7)
    process = psutil.Process()
    with ScriptedModel(answer) as server:
        settings = configuration(server.base_url)
        app = build(settings)
        async with app.run_test(size=(120, 36)) as pilot:
            await until(pilot, lambda: is_open(app), within=PATIENCE_S)
            asked: list[str] = []
            warm: tuple[float, int, int] = (0.0, 0, 0)
            beside_warm = 0
            for number in range(QUESTIONS):
                await _ask(pilot, app, number, stop=chance.random() < 0.3, chance=chance)
                asked.append(f"{WORDS} ({number})")
                if number % 5 == 4:
                    await _look_at_sources(pilot, app)
                if number % 10 == 9:
                    await _another_session(pilot, app, new=chance.random() < 0.5)
                if number == WARM:
                    warm, beside_warm = _usage(process), _beside_the_pool()
            await until(pilot, lambda: not app.background.busy, within=PATIENCE_S)
            (megabytes, sockets, threads), beside = _usage(process), _beside_the_pool()
        app.settle()
    print(f"{warm} after {WARM} questions, {(megabytes, sockets, threads)} after {QUESTIONS}")
    assert megabytes < warm[0] * GROWTH, f"{warm[0]:.0f} MB grew to {megabytes:.0f} MB"
    assert sockets <= warm[1]
    # Runs have a pool of threads that may fill up; nothing beside it may grow.
    assert threads <= warm[2] + POOL, [one.name for one in threading.enumerate()]
    assert beside <= beside_warm, [one.name for one in threading.enumerate()]
    assert app.background.busy == []
    _all_whole(settings, asked)


async def _ask(
    pilot: Pilot[Any], app: KebabApp, number: int, *, stop: bool, chance: random.Random
) -> None:
    chat = app.chat
    chat.prompt.focus()
    chat.prompt.fill(f"{WORDS} ({number})")
    before = len(chat.conversation.turns)
    await pilot.press("enter")
    await until(pilot, lambda: len(chat.conversation.turns) == before + 1, within=PATIENCE_S)
    turn = chat.conversation.turns[-1]
    if stop:
        pieces = chance.randrange(50)
        await until(
            pilot, lambda: turn.pieces >= pieces or turn.ended is not None, within=PATIENCE_S
        )
        await pilot.press("escape")
    await until(pilot, lambda: chat.conversation.running is None, within=PATIENCE_S)
    assert turn.phase in ((Phase.ANSWERED, Phase.STOPPED) if stop else (Phase.ANSWERED,))


async def _look_at_sources(pilot: Pilot[Any], app: KebabApp) -> None:
    if app.chat.shown_turn is None or not app.chat.shown_turn.hits:
        return
    app.chat.transcript.focus()
    await pilot.press("1")
    await until(pilot, lambda: isinstance(app.screen, Preview), within=PATIENCE_S)
    await pilot.press("escape")
    await until(pilot, lambda: app.chat.is_current, within=PATIENCE_S)


async def _another_session(pilot: Pilot[Any], app: KebabApp, *, new: bool) -> None:
    if new:
        await pilot.press("ctrl+n")
        await until(pilot, lambda: not app.chat.is_talking, within=PATIENCE_S)
        return
    await pilot.press("ctrl+s")
    await until(pilot, lambda: isinstance(app.screen, SessionsDialog), within=PATIENCE_S)
    dialog = app.screen
    assert isinstance(dialog, SessionsDialog)
    await until(pilot, lambda: dialog.listed, within=PATIENCE_S)
    await pilot.press("down", "enter")
    await until(pilot, lambda: app.chat.is_current, within=PATIENCE_S)
    await until(pilot, lambda: not app.background.busy, within=PATIENCE_S)


def _usage(process: psutil.Process) -> tuple[float, int, int]:
    """Megabytes, sockets to the model, threads."""
    gc.collect()
    open_sockets = [one for one in process.net_connections() if one.status == "ESTABLISHED"]
    return process.memory_info().rss / 1e6, len(open_sockets), process.num_threads()


def _beside_the_pool() -> int:
    """Python's threads, but for the two pools that runs and event loops take theirs from."""
    pools = ("kebab-ask", "asyncio_")
    return sum(not one.name.startswith(pools) for one in threading.enumerate())


def _all_whole(settings: Configuration, asked: list[str]) -> None:
    """Each question is stored once, with its answer or what was written of it."""
    stored: list[str] = []
    with KnowledgeBase.open(settings) as base:
        for session in base.sessions.list(1000):
            for turn in base.sessions.get(session.session_id).turns or []:
                stored.append(turn.question)
                assert turn.state in ("answered", "cancelled")
                assert turn.answer is not None
                assert turn.evidence
                if turn.state == "answered":
                    assert turn.answer.answer.rstrip().endswith("word59")
                    assert turn.answer.grounding == "cited"
    assert sorted(stored) == sorted(asked)
