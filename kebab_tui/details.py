"""The last error in full."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kebab_core.api import for_display
from kebab_tui.dialog import Dialog
from kebab_tui.look import Look

if TYPE_CHECKING:
    from kebab_core.api import Error


class Details(Dialog[None]):
    def __init__(self, look: Look, error: Error) -> None:
        super().__init__(look)
        self._error = error

    def body(self) -> ComposeResult:
        error = self._error
        parts: list[tuple[str, str]] = [(for_display(error.message), "$text")]
        if error.hint:
            parts += [("\n\nWhat to do\n", "bold $primary"), (for_display(error.hint), "$text")]
        if error.details:
            facts = json.dumps(error.details, indent=2, ensure_ascii=False, default=str)
            parts += [("\n\nDetails\n", "bold $primary"), (for_display(facts), "$text-muted")]
        with VerticalScroll():
            yield Static(Content.assemble(*parts))

    def on_mount(self) -> None:
        super().on_mount()
        self.name_window(self._error.code)
        self.query_one(VerticalScroll).focus()
