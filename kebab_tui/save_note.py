"""Asks where to keep an answer as a Markdown note."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Label, Static

from kebab_tui.dialog import Dialog
from kebab_tui.keys import bindings_of
from kebab_tui.look import Look


class SaveNote(Dialog[tuple[str, str]]):
    """Ends with a folder and a title, or None."""

    BINDINGS = bindings_of("sessions.open")

    def __init__(self, look: Look, *, folder: str, title: str) -> None:
        super().__init__(look)
        self._folder = folder
        self._title = title

    def body(self) -> ComposeResult:
        yield Label("Folder")
        yield Input(self._folder, compact=True, classes="filter folder")
        yield Label("Title")
        yield Input(self._title, compact=True, classes="filter title")
        words = "Kept with its sources. A file that is there already stays as it is."
        yield Static(Content.styled(words, "$text-muted"))

    def hint_keys(self) -> list[tuple[str, str]]:
        return [("sessions.open", "Save"), ("preview.close", "")]

    def on_mount(self) -> None:
        super().on_mount()
        self.name_window("Save as a note")
        self.query_one(".folder", Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        folder = self.query_one(".folder", Input).value.strip()
        title = self.query_one(".title", Input).value.strip()
        if folder and title:
            self.dismiss((folder, title))
