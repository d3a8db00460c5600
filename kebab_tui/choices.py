"""A few questions to choose from: starters of an empty chat, follow-ups under an answer."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Static

from kebab_tui.keys import bindings
from kebab_tui.words import one_line


class Choice(Static):
    ALLOW_SELECT = False

    def __init__(self, question: str) -> None:
        super().__init__(Content.assemble(("› ", "$primary"), one_line(question)))
        self.question = question


class Choices(Vertical, can_focus=True):
    """Takes focus as one; posts `Chosen` with the question."""

    BINDINGS = bindings("choices")

    chosen = reactive(0, init=False)

    class Chosen(Message):
        def __init__(self, question: str) -> None:
            super().__init__()
            self.question = question

    class Left(Message):
        """Past the end of the list: back to the prompt."""

    def __init__(self, questions: Sequence[str], *, classes: str = "") -> None:
        super().__init__(classes=classes)
        self.questions = list(questions)

    def compose(self) -> ComposeResult:
        for question in self.questions:
            yield Choice(question)

    def on_mount(self) -> None:
        self.watch_chosen()

    def watch_chosen(self) -> None:
        for place, choice in enumerate(self.query(Choice)):
            choice.set_class(place == self.chosen, "-chosen")

    def action_move(self, step: int) -> None:
        place = self.chosen + step
        if 0 <= place < len(self.questions):
            self.chosen = place
        elif step > 0:
            self.post_message(self.Left())

    def action_choose(self) -> None:
        self.post_message(self.Chosen(self.questions[self.chosen]))

    def on_click(self, event: events.Click) -> None:
        for place, choice in enumerate(self.query(Choice)):
            if event.widget is choice:
                self.chosen = place
                self.action_choose()
