"""A list to choose from, filtered by typing; what isn't in it can be typed in full."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from kebab_tui.dialog import Dialog
from kebab_tui.keys import bindings_of
from kebab_tui.look import Look
from kebab_tui.words import one_line

_MOVES = {"up": "cursor_up", "down": "cursor_down", "pageup": "page_up", "pagedown": "page_down"}


class Picker(Dialog[str]):
    """Ends with the name that was chosen or typed, or None. `now` is what holds at present."""

    BINDINGS = bindings_of("sessions.open")

    def __init__(self, look: Look, title: str, names: Sequence[str], *, now: str, says: str):
        super().__init__(look)
        self._title = title
        self._names = list(names)
        self._now = now
        self._says = says

    def body(self) -> ComposeResult:
        yield Input(placeholder="Type to filter…", compact=True, classes="filter")
        yield OptionList(markup=False)
        yield Static(Content.styled(self._says, "$text-muted"), classes="says")

    def hint_keys(self) -> list[tuple[str, str]]:
        return [("sessions.open", "Take it"), ("preview.close", "")]

    def on_mount(self) -> None:
        super().on_mount()
        self.name_window(self._title)
        self.query_one(Input).focus()
        self._fill()

    def _fill(self) -> None:
        needle = self.query_one(Input).value.strip().casefold()
        options = self.query_one(OptionList)
        options.clear_options()
        for name in self._names:
            if needle in name.casefold():
                mark = "● " if name == self._now else "  "
                row = Content.assemble((mark, "$accent"), one_line(name))
                options.add_option(Option(row, id=name))
        places = [at for at, option in enumerate(options.options) if option.id == self._now]
        options.highlighted = next(iter(places), 0 if options.option_count else None)
        options.display = bool(options.option_count)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._fill()

    def on_key(self, event: object) -> None:
        """Up and Down move in the list while the filter keeps the focus."""
        key = getattr(event, "key", "")
        options = self.query_one(OptionList)
        if key in _MOVES and not options.has_focus:
            getattr(options, f"action_{_MOVES[key]}")()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_open()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id)

    def action_open(self) -> None:
        highlighted = self.query_one(OptionList).highlighted_option
        typed = self.query_one(Input).value.strip()
        chosen = highlighted.id if highlighted is not None and highlighted.id else typed
        if chosen:
            self.dismiss(chosen)
