"""Asks for a file or a folder to add to the corpus."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from kebab_tui.dialog import Dialog
from kebab_tui.keys import bindings_of
from kebab_tui.look import Look


class AddSource(Dialog[str]):
    """Ends with a path, or None. An empty line refreshes the sources there are."""

    BINDINGS = bindings_of("sessions.open")

    def __init__(self, look: Look, *, has_documents: bool) -> None:
        super().__init__(look)
        self._has_documents = has_documents

    def body(self) -> ComposeResult:
        yield Input(placeholder="~/notes", compact=True, classes="filter")
        words = "A folder is read with all that is in it; .gitignore is honoured."
        if self._has_documents:
            words += " Leave it empty to refresh the sources you have."
        yield Static(Content.styled(words, "$text-muted"))

    def hint_keys(self) -> list[tuple[str, str]]:
        return [("sessions.open", "Add"), ("preview.close", "")]

    def on_mount(self) -> None:
        super().on_mount()
        self.name_window("Add a file or a folder")
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        path = self.query_one(Input).value.strip()
        if path or self._has_documents:
            self.dismiss(path)
