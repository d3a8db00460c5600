"""What all windows over the chat share."""

from __future__ import annotations

from typing import TypeVar

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import ModalScreen, Screen
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

    @property
    def below(self) -> Screen[object]:
        """The screen that shows through."""
        return self.app.screen_stack[self.app.screen_stack.index(self) - 1]

    def render(self) -> RenderableType:
        if self._below is None:
            tint = self.styles.background
            self._below = Frozen.of(self.below, tint, self.size, self.app.console)
        return self._below  # type: ignore[return-value]

    def _below_laid_out(self, below: Screen[object]) -> None:
        """What shows through follows the size of the terminal, not each change below."""
        if self._below is not None and self._below.laid_out_for != below.size:
            self._below = None
            self.refresh()

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
        self.below.screen_layout_refresh_signal.subscribe(
            self, self._below_laid_out, immediate=True
        )

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
