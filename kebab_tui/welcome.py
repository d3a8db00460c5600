"""An empty chat: how much there is to ask about, and where to begin."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Center, Vertical
from textual.content import Content
from textual.widgets import Static

from kebab_tui.choices import Choices
from kebab_tui.look import Look
from kebab_tui.notices import action
from kebab_tui.plain import Plain
from kebab_tui.words import ago, count

if TYPE_CHECKING:
    from kebab_core.api import SchemaReport

_OPENING = Content.styled("Opening your documents…", "$text-muted")


class Welcome(Vertical):
    """Stands in the transcript's place until the first question."""

    def __init__(self, look: Look) -> None:
        super().__init__(id="welcome")
        self._look = look

    def compose(self) -> ComposeResult:
        yield Static(Content.styled("k e b a b", "bold $primary"), classes="name")
        yield Static(_OPENING, classes="counts")
        yield Static(classes="going")
        with Center():
            yield Plain(classes="empty")
        yield Center(Static(classes="thinking"), id="starters")

    def on_mount(self) -> None:
        self.query_one(".going").display = False
        self.query_one(".empty").display = False
        self.query_one("#starters").display = False

    @property
    def choices(self) -> Choices | None:
        return next(iter(self.query(Choices)), None)

    async def show(self, report: SchemaReport, now: datetime) -> None:
        """Draw what the corpus holds. Questions about it may still be thought of."""
        stats = report.stats
        facts = [count(stats.documents, "document"), count(stats.chunks, "passage")]
        if stats.last_ingest_at is not None:
            facts.append(f"last indexed {ago(stats.last_ingest_at, now)}")
        is_empty = not stats.documents
        words = "No documents yet" if is_empty else " · ".join(facts)
        self.query_one(".counts", Static).update(Content.styled(words, "$text-muted"))
        empty = self.query_one(".empty", Static)
        empty.display = is_empty
        if is_empty:
            empty.update(self._how_to_begin())
        self.query_one("#starters").display = not is_empty
        thinking = self.query_one(".thinking", Static)
        thinking.display = self.choices is None
        thinking.update(Content.styled("◌ A few questions to begin with…", "$text-muted"))
        if is_empty:
            await self.query(Choices).remove()

    async def propose(self, questions: Sequence[str]) -> None:
        """Offer `questions` to begin with; those offered before stay if they are the same."""
        former = self.choices
        self.query_one(".thinking").display = False
        if former is not None and former.questions == list(questions):
            return
        had_focus = former is not None and former.has_focus
        await self.query(Choices).remove()
        self.query_one("#starters").display = bool(questions)
        if questions:
            choices = Choices(questions)
            await self.query_one("#starters").mount(choices)
            if had_focus:
                choices.focus()

    async def reset(self) -> None:
        """As before anything was known."""
        await self.query(Choices).remove()
        for part in (".going", ".empty", "#starters"):
            self.query_one(part).display = False
        self.query_one(".counts", Static).update(_OPENING)

    def show_destination(self, host: str | None) -> None:
        """Say where questions go before the first one does; None: they stay here."""
        going = self.query_one(".going", Static)
        going.display = host is not None
        words = f"Questions and the passages found for them go to {host}."
        going.update(Content.assemble(("▲ ", "$warning"), (words, "$warning")))

    def _how_to_begin(self) -> Content:
        add = action("chat.add", "Add a file or a folder", self._look.key)
        return Content.assemble(
            ("1 ", "bold $primary"),
            add,
            (", such as ~/notes or ~/Documents\n", "$text-muted"),
            ("2 ", "bold $primary"),
            "Wait until it is read; nothing leaves this machine\n",
            ("3 ", "bold $primary"),
            "Ask, and press ",
            ("1", "bold $primary"),
            " to read what the answer rests on\n\n",
            ("From a shell: kebab ingest PATH", "$text-muted"),
        )
