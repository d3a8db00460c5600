"""Where questions are typed: never locked, one to six rows, with the history at its edges."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea

from kebab_core.api import for_display
from kebab_tui.look import Look
from kebab_tui.scope import quoted

_OF_THE_LIST = ("up", "down", "tab", "enter", "escape")


class Prompt(TextArea):
    """Posts `Sent` with what was typed, and `Left` when Down finds no further question."""

    class Sent(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Left(Message):
        """The person wants the list above."""

    class TakeBack(Message):
        """Up in an empty prompt: a waiting question may come back."""

    class Moved(Message):
        """The text or the cursor changed."""

    class Completing(Message):
        """A key for the list of names that is open above."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def __init__(self, look: Look) -> None:
        super().__init__(soft_wrap=True, show_line_numbers=False, id="prompt")
        self.cursor_blink = not look.still
        self._keys = {
            one.strip(): act
            for key_id, act in (
                ("prompt.send", self.action_send),
                ("prompt.newline", self.action_newline),
            )
            for one in look.keys(key_id)
        }
        self.highlight_cursor_line = False
        self.asked: list[str] = []
        self._place: int | None = None
        self._draft = ""
        self.is_completing = False
        """Whether a list of names is open, which takes a few keys for itself."""

    def say(self, text: str) -> None:
        """What an empty prompt shows."""
        self.placeholder = Content(text)

    def fill(self, text: str) -> None:
        """Put `text` in, with the cursor at its end."""
        self._place = None
        self.text = text
        self.move_cursor(self.document.end)

    # --- names after @ -------------------------------------------------------------------

    @property
    def before_cursor(self) -> str:
        """What stands left of the cursor in its line."""
        row, column = self.cursor_location
        return self.document.get_line(row)[:column]

    def complete(self, name: str) -> None:
        """Put `name` in the place of what was typed after the last `@`."""
        row, column = self.cursor_location
        at = self.before_cursor.rfind("@")
        # A folder may be gone into further.
        end = "" if name.endswith("/") else " "
        self.replace(quoted(name) + end, (row, max(at, 0)), (row, column))

    def on_text_area_selection_changed(self) -> None:
        self.post_message(self.Moved())

    # --- sending -------------------------------------------------------------------------

    async def _on_key(self, event: events.Key) -> None:
        if self.is_completing and event.key in _OF_THE_LIST:
            event.stop()
            event.prevent_default()
            self.post_message(self.Completing(event.key))
            return
        # Not by bindings: those that come before the text area act at once, ahead of letters
        # that were typed before them and still wait in line.
        if (act := self._keys.get(event.key)) is not None:
            event.stop()
            event.prevent_default()
            act()

    def action_send(self) -> None:
        text = self.text.strip()
        if text:
            self.fill("")
            self.post_message(self.Sent(text))

    def action_newline(self) -> None:
        self.insert("\n")

    async def _on_paste(self, event: events.Paste) -> None:
        # The text area's own handler comes after this one.
        event.text = for_display(event.text)

    # --- history -------------------------------------------------------------------------

    def action_cursor_up(self, select: bool = False) -> None:
        if select or not self._at_edge(-1):
            super().action_cursor_up(select)
        elif not self.text and self._place is None:
            self.post_message(self.TakeBack())
        else:
            self.recall(-1)

    def action_cursor_down(self, select: bool = False) -> None:
        if select or not self._at_edge(1):
            super().action_cursor_down(select)
        elif self._place is None:
            self.post_message(self.Left())
        else:
            self.recall(1)

    def recall(self, step: int) -> None:
        """Walk the history; past its newest end stands what was typed before."""
        place = len(self.asked) if self._place is None else self._place
        if self._place is None:
            self._draft = self.text
        place += step
        if place < 0:
            return
        if place >= len(self.asked):
            self.fill(self._draft)
            return
        self.fill(self.asked[place])
        self._place = place

    def _at_edge(self, direction: int) -> bool:
        """Whether the cursor is in the first (-1) or last (1) row as drawn."""
        navigator = self.navigator
        if direction < 0:
            return navigator.is_first_wrapped_line(self.cursor_location)
        return navigator.is_last_wrapped_line(self.cursor_location)

    def on_text_area_changed(self) -> None:
        self.post_message(self.Moved())
        if self._place is not None and self.text != self.asked[self._place]:
            self._place = None
