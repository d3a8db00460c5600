"""A small handbook, a clock that stands still, and a chat over both."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from kebab_core.api import KnowledgeBase, ToolFinished
from kebab_core.paths import Workspace
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.model import Settings
from kebab_core.settings.state import UserState
from kebab_core.testing import Reply, ScriptedBase
from kebab_tui.app import KebabApp

SIZES = {"120x36": (120, 36), "80x24": (80, 24), "40x12": (40, 12)}

LEAVE = (
    "# Leave\n\n"
    + "".join(f"Rule {n} about being away is kept short.\n" for n in range(3, 36))
    + """
Annual leave does not accrue during a block.

## Parental leave

Every employee with six months' service on the due date may
take twenty-six weeks at full pay, in up to three blocks,
within twelve months of the birth or placement.

Blocks may cross a calendar year. A block shorter than two
weeks needs the agreement of your manager.

### Notice

Give eight weeks' written notice to your manager and to
people@example.com.

## Sharing

Each parent takes at least two weeks of the shared period,
and both write to the same People partner.
"""
)
HANDBOOK = {
    "hr/leave-policy.md": LEAVE,
    "hr/faq.md": "# Questions\n\n## Both parents here?\n\nThe twenty-six weeks may be shared if "
    "both parents are employees of the company.\n",
    "handbook/benefits.pdf": "Benefits\nReturners may phase back at 80 % for the first month "
    "after their leave.\n",
    "minutes/2025-03.md": "# March all-hands\n\n## Actions\n\nReview of parental leave deferred "
    "to May, because the budget is not yet known.\n",
    "offices/lisbon.md": "# Lisbon\n\n## Getting there\n\nRua do Alecrim 20, third floor; ask for "
    "a badge at reception.\n",
}
PARENTAL = "How many weeks of parental leave do we get?"
PARTNER = "Can I split it with my partner?"
WORDS = "How many weeks at full pay may an employee take?"
"""For which the words of the documents are enough."""
LISBON = "What is the dress code for the Lisbon office?"
ANSWER = """\
You get **26 weeks at full pay**, in up to three blocks within the first year [1].

- Give eight weeks' written notice to your manager and People [2].
- The blocks may be split between calendar years [1].
"""


class StillClock:
    """Moves only when it is told to."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return datetime(2026, 3, 2, 12, 40, tzinfo=timezone(timedelta(hours=1)))

    def pass_by(self, seconds: float) -> None:
        self.seconds += seconds


def handbook(clock: StillClock | None = None, **changes: Any) -> ScriptedBase:
    """A scripted knowledge base about leave, with answers to the questions above."""
    base = ScriptedBase(configuration(), dict(HANDBOOK), counts=(412, 9318), **changes)
    base.first_questions = [
        PARENTAL,
        "How much notice do I give before going away?",
        "Who decides on the budget for leave?",
        "How do I get into the Lisbon office?",
    ]
    if clock is not None:
        base.pause = clock.pass_by
    hits = [
        base.hit("hr/leave-policy.md", 41, 46, relevance=0.91),
        base.hit("hr/leave-policy.md", 50, 51, relevance=0.84),
        base.hit("handbook/benefits.pdf", 2, page=14, relevance=0.71),
        base.hit("hr/faq.md", 5, relevance=0.66),
        base.hit("minutes/2025-03.md", 5, relevance=0.41),
    ]
    base.reply(PARENTAL, Reply(hits, ANSWER, tokens=214))
    split = [
        base.hit("hr/faq.md", 5, relevance=0.88),
        base.hit("hr/leave-policy.md", 55, 56, relevance=0.83),
        base.hit("hr/leave-policy.md", 41, 46, relevance=0.79),
        base.hit("handbook/benefits.pdf", 2, page=14, relevance=0.52),
    ]
    base.reply(
        PARTNER,
        Reply(
            split,
            "Yes, if both of you work here: the 26 weeks may be shared, and each of you must take "
            "at least two weeks [1] [2].",
            search_s=0.2,
            write_s=1.7,
        ),
    )
    near = [
        base.hit("offices/lisbon.md", 5, relevance=0.38),
        base.hit("minutes/2025-03.md", 5, relevance=0.29),
    ]
    again = ToolFinished("", "corpus", "office attire policy", ms=400)
    base.reply(
        LISBON,
        Reply(
            near,
            "I searched 412 documents twice and found nothing that answers this. The nearest "
            "passage is “Getting there” in offices/lisbon.md (0.38).",
            tools=[again],
            refusal="score_gate",
            write_s=1.8,
        ),
    )
    return base


def configuration(**settings: Any) -> Configuration:
    return Configuration(
        settings=Settings.model_validate(settings),
        workspace=Workspace("handbook", Path("handbook")),
        state=UserState(None),
    )


def chat(base: ScriptedBase, clock: StillClock | None = None, **given: Any) -> KebabApp:
    """The chat over `base`, without motion."""
    given.setdefault("workspace", "~/handbook")
    given.setdefault("reduced_motion", True)
    return KebabApp(lambda: base, clock=clock or StillClock(), **given)  # type: ignore[arg-type, return-value]


async def until(
    pilot: Pilot[Any], holds: Callable[[], object], *, what: str = "", within: float = 30.0
) -> None:
    """Let the screen work until `holds()` is true."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + within
    while not holds():
        if loop.time() > deadline:
            raise AssertionError(f"not within {within} s: {what or holds}")
        await pilot.pause(0.01)
    await pilot.pause()


async def opened(pilot: Pilot[Any], *, starters: bool = True) -> KebabApp:
    """The app, with its corpus counted and its model known."""
    app = pilot.app
    assert isinstance(app, KebabApp)
    await until(pilot, lambda: is_open(app, starters=starters), what="opening")
    return app


def is_open(app: KebabApp, *, starters: bool = True) -> bool:
    """Whether all is there that comes after the first frame."""
    chat, report = app.chat, app.chat.report
    if report is None or not chat.is_model_known:
        return False
    return not starters or not report.stats.documents or chat.starters is not None


async def ask(pilot: Pilot[Any], question: str, *, wait: bool = True) -> None:
    """Type a question into the prompt, send it, and wait for its end."""
    app = pilot.app
    assert isinstance(app, KebabApp)
    app.chat.prompt.focus()
    app.chat.prompt.fill(question)
    await pilot.press("enter")
    if wait:
        await until(
            pilot, lambda: app.chat.conversation.running is None, what=f"answer to {question}"
        )
        await at_rest(pilot)


async def at_rest(pilot: Pilot[Any]) -> None:
    """Let everything that was said be drawn."""
    app = pilot.app
    assert isinstance(app, KebabApp)
    await until(pilot, lambda: not app.background.busy, what="rest")
    for _ in range(3):
        await pilot.pause()


def store_documents(base: KnowledgeBase, documents: Path) -> None:
    """Ingest without an embedding model: no test may fetch one."""
    from kebab_core.ingest import ingest
    from kebab_core.types import IngestOptions

    ingest(
        base.store,
        None,
        [str(documents)],
        IngestOptions(),
        base.configuration,
        on_event=lambda event: None,
        cancelled=lambda: False,
    )
