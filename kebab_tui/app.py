"""The program around the chat: themes, keys, windows, opening and leaving."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import Input

from kebab_core import api
from kebab_core.api import KebabError
from kebab_tui import clipboard, opening, themes
from kebab_tui.background import Background
from kebab_tui.chat import WIDE, ChatScreen
from kebab_tui.clock import Clock, SystemClock
from kebab_tui.commands import chat_commands
from kebab_tui.habits import Habits
from kebab_tui.help_screen import HelpScreen
from kebab_tui.keys import bindings_of, check_keymap
from kebab_tui.look import Look
from kebab_tui.messages import Said
from kebab_tui.picker import Picker
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
        habits: Habits | None = None,
        session_id: str | None = None,
        continue_last: bool = False,
        clock: Clock | None = None,
    ) -> None:
        super().__init__()
        self._open_base = open_base
        self._habits = habits
        self._left: list[KnowledgeBase] = []
        """Bases of workspaces that were left; what ran in them may still be stored."""
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
        self._open(self._session_id, continue_last=self._continue_last)

    def _open(self, session_id: str | None, *, continue_last: bool) -> None:
        opener, post = self._open_base, self.chat.post
        self.background.start(
            "open", lambda: opening.open_base(opener, session_id, continue_last, post)
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
        if self.background.wait(_GRACE_S):
            for base in [*self._left, *([self.chat.base] if self.chat.base else [])]:
                base.close()

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
        """By OSC 52 where the terminal takes it; else by another way, with a word about which."""
        if self.is_web or clipboard.takes_copies(text):
            super().copy_to_clipboard(text)
            if self._driver is not None and (wrapped := clipboard.for_outside(text)):
                self._driver.write(wrapped)
            return
        self._clipboard = text

        def copy() -> None:
            try:
                said = Said(clipboard.copy_elsewhere(text))
            except OSError as failure:
                said = Said(f"Not copied: {failure.strerror or failure}", is_problem=True)
            self.chat.post(said)

        self.background.start("copy", copy)

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
        self.push_screen(ThemePicker(self.look), self._took_theme)

    def _took_theme(self, name: str | None) -> None:
        if name is not None:
            self._keep_look("theme", name)

    def _keep_look(self, name: str, value: str) -> None:
        """Remember it in the background; say so only where that doesn't work."""
        habits = self._habits
        if habits is None:
            return

        def keep() -> None:
            if word := habits.keep_look(name, value):
                self.chat.post(Said(word))

        self.background.start("keep", keep)

    # --- another workspace ---------------------------------------------------------------

    def action_workspace(self) -> None:
        """List the workspaces, and open the one that is chosen."""
        habits = self._habits
        if habits is None:
            return
        now = self.chat.workspace
        picker = Picker(
            self.look,
            "Workspace",
            sorted({now, *api.workspace_names()}),
            now=now,
            says="Or type a new name: an empty workspace is made with its first documents.",
        )
        self.chat.open_dialog(picker, self.open_workspace)

    def open_workspace(self, name: str) -> None:
        """Leave this workspace for the one called `name`, which may not be there yet."""
        habits = self._habits
        if habits is None or name == self.chat.workspace:
            return
        try:
            there = habits.elsewhere(name)
        except KebabError as failure:
            self.chat.say(f"{failure.message} {failure.hint or ''}".strip(), is_problem=True)
            return
        self._habits = Habits(there)
        self._open_base = lambda: api.KnowledgeBase.open(there)
        self.chat.call_later(self._move, name)

    async def _move(self, name: str) -> None:
        if self.chat.base is not None:
            self._left.append(self.chat.base)
        await self.chat.leave_workspace(name)
        self._open(None, continue_last=False)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        yield from chat_commands(self.chat)
        yield SystemCommand("view: theme", "Each is shown as you go", self.action_theme)
        still = "off" if self.look.still else "on"
        yield SystemCommand(
            f"view: reduced motion {still}", "No spinners, no animation", self.toggle_motion
        )
        if self._habits is not None:
            yield SystemCommand("workspace: open", "Another corpus", self.action_workspace)
        if self._driver is not None and self._driver.can_suspend:
            yield SystemCommand(
                "kebab: suspend", "To the shell; fg comes back", self.action_suspend_process
            )
        yield SystemCommand("help: keys", "Every key and mark", self.action_help)
        yield SystemCommand("kebab: quit", "A running answer is kept", self.action_quit)

    def toggle_motion(self) -> None:
        self.look.still = not self.look.still
        self.animation_level = "none" if self.look.still else "full"
        self.chat.prompt.cursor_blink = not self.look.still
        self._keep_look("reduced_motion", str(self.look.still).lower())
