"""Earlier sessions: filter by typing, open, rename, delete."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from kebab_tui.dialog import Dialog
from kebab_tui.keys import bindings
from kebab_tui.look import Look
from kebab_tui.words import clip, count, day_of, one_line, time_in_day

if TYPE_CHECKING:
    from kebab_core.api import Session


class SessionsDialog(Dialog[str], inherit_bindings=False):
    """Ends with the id of the session to open, `NEW`, or None.

    It holds no connection: it posts `Wanted`, `Renamed` and `Deleted`, and whoever answers
    calls `show` with the sessions as they are then.
    """

    NEW = ""

    BINDINGS = bindings("sessions")

    class Wanted(Message):
        """Sessions whose titles or texts hold `needle`."""

        def __init__(self, dialog: SessionsDialog, needle: str) -> None:
            super().__init__()
            self.dialog = dialog
            self.needle = needle

    class Renamed(Message):
        def __init__(self, dialog: SessionsDialog, session_id: str, title: str) -> None:
            super().__init__()
            self.dialog = dialog
            self.session_id = session_id
            self.title = title

    class Deleted(Message):
        def __init__(self, dialog: SessionsDialog, session_id: str) -> None:
            super().__init__()
            self.dialog = dialog
            self.session_id = session_id

    def __init__(self, look: Look) -> None:
        super().__init__(look)
        self._sessions: list[Session] = []
        self.listed = False
        """Whether the first answer has come."""
        self._renaming: Session | None = None
        self._deleting: Session | None = None

    def body(self) -> ComposeResult:
        yield Input(placeholder="Type to filter…", compact=True, classes="filter")
        yield OptionList(markup=False)
        yield Static(classes="question")

    def hint_keys(self) -> list[tuple[str, str]]:
        if self._renaming is not None:
            return [("sessions.open", "Rename"), ("sessions.close", "Leave it")]
        if self._deleting is not None:
            return [("sessions.delete", "Delete for good"), ("sessions.close", "Keep")]
        ids = ("open", "new", "rename", "delete", "close")
        return [(f"sessions.{one}", "") for one in ids]

    def on_mount(self) -> None:
        super().on_mount()
        self.name_window("Sessions")
        self.query_one(".question").display = False
        self.query_one(Input).focus()
        self._want()

    def _want(self) -> None:
        self.tell(self.Wanted(self, self.query_one(Input).value.strip()))

    # --- the list ------------------------------------------------------------------------

    def show(self, sessions: Sequence[Session]) -> None:
        """Draw these, newest first, under their days."""
        newest_first = sorted(sessions, key=lambda one: one.updated_at, reverse=True)
        if self.listed and newest_first == self._sessions:
            return
        self.listed = True
        self._sessions = newest_first
        self._draw()

    def _draw(self) -> None:
        options = self.query_one(OptionList)
        chosen = self._chosen()
        self.name_window("Sessions", f"{len(self._sessions)} saved")
        options.clear_options()
        for day, group in groupby(self._sessions, key=self._day):
            if options.option_count and self.size.height >= _ROOMY:
                options.add_option(Option("", disabled=True))
            options.add_option(Option(Content.styled(day, "bold $primary"), disabled=True))
            options.add_options([Option(self._row(one), id=one.session_id) for one in group])
        if not self._sessions:
            needle = self.query_one(Input).value
            words = f"Nothing about “{one_line(needle)}”." if needle else "No sessions yet."
            options.add_option(Option(Content.styled(words, "$text-muted"), disabled=True))
        places = [at for at, option in enumerate(options.options) if option.id]
        same = [at for at in places if options.options[at].id == chosen]
        options.highlighted = next(iter([*same, *places]), None)

    def on_resize(self) -> None:
        super().on_resize()
        if self._sessions:
            self.call_after_refresh(self._draw)

    def _day(self, session: Session) -> str:
        return day_of(session.updated_at, self.look.clock.now())

    def _row(self, session: Session) -> Content:
        width = max(self.query_one(OptionList).scrollable_content_region.width - 2, 24)
        when = time_in_day(session.updated_at, self.look.clock.now())
        turns = count(session.turn_count, "turn")
        facts = f"{turns:>8}  {when:>11}" if width >= 44 else f"{when:>11}"
        title = clip(one_line(session.title) or "Untitled", width - len(facts) - 2)
        gap = width - cell_len(title) - len(facts)
        return Content.assemble(f" {title}", " " * max(gap, 1), (facts, "$text-muted"))

    def _chosen(self) -> str | None:
        options = self.query_one(OptionList)
        return options.highlighted_option.id if options.highlighted_option is not None else None

    def _session(self) -> Session | None:
        chosen = self._chosen()
        return next((one for one in self._sessions if one.session_id == chosen), None)

    # --- keys ----------------------------------------------------------------------------

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self._renaming is None:
            self._want()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_open()

    def on_key(self, event: object) -> None:
        """Up and Down move in the list while the filter keeps the focus."""
        key = getattr(event, "key", "")
        options = self.query_one(OptionList)
        if key in ("up", "down", "pageup", "pagedown") and not options.has_focus:
            getattr(options, f"action_{_MOVES[key]}")()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        if self._renaming is not None:
            self._rename(self._renaming)
        elif (session := self._session()) is not None:
            self.dismiss(session.session_id)

    def action_new(self) -> None:
        self.dismiss(self.NEW)

    def action_rename(self) -> None:
        session = self._session()
        if session is None or self._renaming is not None:
            return
        self._renaming = session
        box = self.query_one(Input)
        box.value = one_line(session.title)
        box.cursor_position = len(box.value)
        box.focus()
        self._ask(f"A new name for “{clip(one_line(session.title), 40)}”:")

    def _rename(self, session: Session) -> None:
        title = one_line(self.query_one(Input).value)
        self._leave_question()
        if title and title != session.title:
            self.tell(self.Renamed(self, session.session_id, title))

    def action_delete(self) -> None:
        if self._deleting is not None:
            session = self._deleting
            self._leave_question()
            self.tell(self.Deleted(self, session.session_id))
            return
        session_or_none = self._session()
        if session_or_none is not None and self._renaming is None:
            self._deleting = session_or_none
            turns = count(session_or_none.turn_count, "turn")
            self._ask(f"Delete “{clip(one_line(session_or_none.title), 40)}” with its {turns}?")

    def action_close(self) -> None:
        if self._renaming is not None or self._deleting is not None:
            self._leave_question()
        else:
            self.dismiss(None)

    def _ask(self, words: str) -> None:
        question = self.query_one(".question", Static)
        question.update(Content.styled(words, "$warning"))
        question.display = True
        self.sync_hints()

    def _leave_question(self) -> None:
        renamed = self._renaming is not None
        self._renaming = self._deleting = None
        self.query_one(".question").display = False
        if renamed:
            self.query_one(Input).value = ""
        self.sync_hints()


_ROOMY = 20
_MOVES = {"up": "cursor_up", "down": "cursor_down", "pageup": "page_up", "pagedown": "page_down"}
