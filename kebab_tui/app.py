"""The program around the chat: themes, keys, windows, opening and leaving."""

from __future__ import annotations

import asyncio
import base64
import os
import signal
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Input

from kebab_tui import opening, themes
from kebab_tui.background import Background
from kebab_tui.chat import WIDE, ChatScreen
from kebab_tui.clock import Clock, SystemClock
from kebab_tui.commands import chat_commands
from kebab_tui.help_screen import HelpScreen
from kebab_tui.keys import bindings_of, check_keymap
from kebab_tui.look import Look
from kebab_tui.theme_picker import ThemePicker

if TYPE_CHECKING:
    from kebab_core.api import KnowledgeBase

_GRACE_S = 2.0
"""What a cancelled run gets to store its turn in, when the person leaves."""


class KebabApp(App[int], inherit_bindings=False):
    """The chat over one knowledge base, opened by `open_base` after the first frame.

    `keys` maps ids of keys to keys. Raises ConfigInvalid for an id or a theme there isn't.
    """

    TITLE = "kebab"
    CSS_PATH = "kebab.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (18, "-tall")]
    BINDINGS = [
        *bindings_of("app.commands", "app.help", "app.quit"),
        Binding("ctrl+c", "help_quit", show=False, system=True),
    ]

    def __init__(
        self,
        open_base: Callable[[], KnowledgeBase],
        *,
        workspace: str = "default",
        theme: str = themes.DARK,
        keys: Mapping[str, str] | None = None,
        reduced_motion: bool = False,
        web: bool = False,
        session_id: str | None = None,
        continue_last: bool = False,
        clock: Clock | None = None,
    ) -> None:
        super().__init__()
        self._open_base = open_base
        self._session_id = session_id
        self._continue_last = continue_last
        keymap = check_keymap(keys or {})
        self.look = Look(clock=clock or SystemClock(), keymap=keymap, still=reduced_motion)
        if reduced_motion:
            self.animation_level = "none"
        for name in (themes.DARK, themes.LIGHT):
            self.register_theme(themes.build(name))
        self.theme = theme if theme in self.available_themes else themes.DARK
        self.set_keymap(keymap)
        self.background = Background()
        self.chat = ChatScreen(self.look, self.background, workspace=workspace, web=web)

    def get_default_screen(self) -> Screen[Any]:
        return self.chat

    def on_mount(self) -> None:
        if not self.is_headless:
            self._leave_on_signals()

    def on_chat_screen_drawn(self) -> None:
        """The first frame stands: what is heavy comes after it."""
        self.background.start(
            "open",
            lambda: opening.open_base(
                self._open_base, self._session_id, self._continue_last, self.chat.post
            ),
        )

    # --- leaving -------------------------------------------------------------------------

    def _leave_on_signals(self) -> None:
        if os.name != "posix":
            return
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.exit, 128 + number)

    async def action_quit(self) -> None:
        self.exit(0)

    def settle(self) -> None:
        """After the screen is gone: cancel what runs, let it store its turn, close the base."""
        if self.chat.run is not None:
            self.chat.run.cancel()
        if self.chat.cancel_ingest is not None:
            self.chat.cancel_ingest()
        if self.background.wait(_GRACE_S) and self.chat.base is not None:
            self.chat.base.close()

    @property
    def crash(self) -> Exception | None:
        """What ended the program, if it wasn't the person."""
        return self._exception

    def _fatal_error(self) -> None:
        # Textual prints a traceback with the values of all locals, which may hold a key or a
        # passage. `run` raises the error instead, when the terminal is as it was.
        self.bell()
        self._close_messages_no_wait()

    def copy_to_clipboard(self, text: str) -> None:
        super().copy_to_clipboard(text)
        if "TMUX" in os.environ and self._driver is not None:
            # tmux takes copies for itself; wrapped like this one reaches the terminal outside.
            encoded = base64.b64encode(text.encode("utf-8")).decode("ascii")
            self._driver.write(f"\x1bPtmux;\x1b\x1b]52;c;{encoded}\a\x1b\\")

    # --- keys and commands ---------------------------------------------------------------

    def action_press(self, key_id: str) -> None:
        """What a click on a hint does: press its key."""
        self.simulate_key(self.look.keys(key_id)[0])

    def action_command_palette(self) -> None:
        super().action_command_palette()
        self.call_after_refresh(self.calm)

    def calm(self) -> None:
        """No cursor blinks in the window on top, where motion is unwelcome."""
        for box in self.screen.query(Input):
            box.cursor_blink = not self.look.still

    def action_help(self) -> None:
        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.look))

    def action_theme(self) -> None:
        self.push_screen(ThemePicker(self.look))

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        yield from chat_commands(self.chat)
        yield SystemCommand("view: theme", "Each is shown as you go", self.action_theme)
        still = "off" if self.look.still else "on"
        yield SystemCommand(
            f"view: reduced motion {still}", "No spinners, no animation", self.toggle_motion
        )
        yield SystemCommand("help: keys", "Every key and mark", self.action_help)
        yield SystemCommand("kebab: quit", "A running answer is kept", self.action_quit)

    def toggle_motion(self) -> None:
        self.look.still = not self.look.still
        self.animation_level = "none" if self.look.still else "full"
        self.chat.prompt.cursor_blink = not self.look.still
