"""Themes, each shown while it is highlighted."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from kebab_tui.dialog import Dialog
from kebab_tui.keys import bindings_of
from kebab_tui.look import Look
from kebab_tui.themes import DARK, LIGHT


class ThemePicker(Dialog[str]):
    """Ends with the theme that was taken; closing it brings the former one back."""

    BINDINGS = bindings_of("sessions.open")

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._former = ""

    def body(self) -> ComposeResult:
        own = [DARK, LIGHT]
        others = sorted(set(self.app.available_themes) - set(own))
        yield OptionList(*(Option(Content(name), id=name) for name in [*own, *others]))

    def hint_keys(self) -> list[tuple[str, str]]:
        return [("sessions.open", "Take it"), ("preview.close", "As it was")]

    def on_mount(self) -> None:
        super().on_mount()
        self.name_window("Theme")
        self._former = self.app.theme
        options = self.query_one(OptionList)
        options.highlighted = options.get_option_index(self.app.theme)
        options.focus()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_id is not None:
            self.app.theme = event.option_id

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)

    def action_open(self) -> None:
        self.dismiss(self.app.theme)

    def action_close(self) -> None:
        self.app.theme = self._former
        self.dismiss(None)
