"""What all windows over the chat share."""

from __future__ import annotations

from typing import TypeVar

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import ModalScreen
from textual.widgets import Input

from kebab_tui.frozen import Frozen
from kebab_tui.keys import bindings_of
from kebab_tui.look import Look
from kebab_tui.notices import actions
from kebab_tui.plain import Plain

Result = TypeVar("Result")


class Dialog(ModalScreen[Result | None]):
    """A framed window; `body` fills it, `hint_keys` stand in its last row."""

    BINDINGS = bindings_of("preview.close")

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look
        self._below: Frozen | None = None
        self.desk: MessagePump | None = None
        """The screen that opened it, which does what `tell` asks for."""

    def render(self) -> RenderableType:
        below = self.app.screen_stack[self.app.screen_stack.index(self) - 1]
        frozen = self._below
        if frozen is None or frozen.size != self.size:
            tint = self.styles.background
            self._below = frozen = Frozen.of(below, tint, self.size, self.app.console)
        return frozen  # type: ignore[return-value]

    def notify_style_update(self) -> None:
        """Another theme: what lies below has other colours."""
        self._below = None
        super().notify_style_update()

    def tell(self, message: Message) -> None:
        """Post to the screen below: messages of a window don't reach it by bubbling."""
        if self.desk is not None:
            self.desk.post_message(message)

    def compose(self) -> ComposeResult:
        with Vertical(classes="window"):
            yield from self.body()
            yield Plain(classes="window-hints")

    def body(self) -> ComposeResult:
        """The widgets of the window, above its hints."""
        raise NotImplementedError

    def hint_keys(self) -> list[tuple[str, str]]:
        """Pairs of a key's id and its word; an empty word takes the key's own."""
        return [("preview.close", "")]

    def on_mount(self) -> None:
        for box in self.query(Input):
            box.cursor_blink = not self.look.still
        self.sync_hints()

    def on_resize(self) -> None:
        self.call_after_refresh(self.sync_hints)

    def sync_hints(self) -> None:
        hints = self.query_one(".window-hints", Plain)
        width = hints.size.width or self.size.width - 6
        hints.update(actions(self.hint_keys(), self.look.key, width))

    def name_window(self, title: str, subtitle: str = "") -> None:
        """Set the frame's title and the words at its lower right."""
        window = self.query_one(".window")
        window.border_title = Content(title)
        window.border_subtitle = Content(subtitle)

    def action_close(self) -> None:
        self.dismiss(None)
