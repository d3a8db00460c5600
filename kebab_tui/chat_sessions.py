"""Sessions: start, open, rename, delete, export; and marks on answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from kebab_core.api import KebabError
from kebab_tui.asking import unexpected
from kebab_tui.conversation import Conversation
from kebab_tui.desk import Desk
from kebab_tui.exports import write_session
from kebab_tui.messages import Said, SessionLoaded
from kebab_tui.sessions_dialog import SessionsDialog

if TYPE_CHECKING:
    from kebab_core.api import KnowledgeBase, Session

_MOST_LISTED = 500


class SessionsListed(Message):
    def __init__(self, dialog: SessionsDialog, needle: str, sessions: list[Session]) -> None:
        super().__init__()
        self.dialog = dialog
        self.needle = needle
        self.sessions = sessions


class SessionHandlers(Desk):
    def action_sessions(self) -> None:
        if self.base is None:
            self.say("Still opening.")
            return
        self.open_dialog(SessionsDialog(self.look), self._chosen)

    async def action_new_session(self) -> None:
        await self.show_conversation(Conversation())

    def _chosen(self, session_id: str) -> None:
        if session_id == SessionsDialog.NEW:
            self.call_later(self.action_new_session)
        elif session_id != self.conversation.session_id:
            self._with_base(lambda base: SessionLoaded(base.sessions.get(session_id)))

    async def on_session_loaded(self, event: SessionLoaded) -> None:
        await self.show_conversation(Conversation.of(event.session))

    async def show_conversation(self, conversation: Conversation) -> None:
        """Leave the session that is open; what runs in it is stopped and kept."""
        if self.run is not None:
            self.run.cancel()
        self.run = None
        self.prose.clear()
        self.conversation = conversation
        self.prompt.asked = conversation.questions
        self.sync()
        await self.transcript.show(conversation.turns)
        with_hits = [turn for turn in conversation.turns if turn.hits]
        await self.show_sources(with_hits[-1] if with_hits else None)
        self.prompt.focus()
        self.sync()

    async def leave_workspace(self, name: str) -> None:
        """Forget all of this workspace; the next one is opened in the background."""
        if self.cancel_ingest is not None:
            self.cancel_ingest()
        await self.show_conversation(Conversation())
        self.base = self.report = self.choice = self.model = self.starters = None
        self.catalog = None
        self.cancel_ingest, self.ask_after_ingest, self.opening_error = None, None, None
        self.is_model_known = False
        self.workspace = self.header.workspace = name
        self.header.documents = self.header.indexed = self.header.model = ""
        self.header.destination = ""
        await self.welcome.reset()
        self.sync()

    # --- the dialog's wishes -------------------------------------------------------------

    def on_sessions_dialog_wanted(self, event: SessionsDialog.Wanted) -> None:
        self._list(event.dialog, event.needle)

    def on_sessions_dialog_renamed(self, event: SessionsDialog.Renamed) -> None:
        if event.session_id == self.conversation.session_id:
            self.conversation.name = event.title
            self.sync()

        def rename(base: KnowledgeBase) -> None:
            base.sessions.rename(event.session_id, event.title)

        self._list(event.dialog, "", before=rename)

    async def on_sessions_dialog_deleted(self, event: SessionsDialog.Deleted) -> None:
        if event.session_id == self.conversation.session_id:
            await self.show_conversation(Conversation())

        def delete(base: KnowledgeBase) -> None:
            base.sessions.delete(event.session_id)

        self._list(event.dialog, "", before=delete)

    def _list(
        self,
        dialog: SessionsDialog,
        needle: str,
        *,
        before: Callable[[KnowledgeBase], None] | None = None,
    ) -> None:
        def listed(base: KnowledgeBase) -> Message:
            if before is not None:
                before(base)
            sessions = base.sessions
            found = sessions.search(needle) if needle else sessions.list(_MOST_LISTED)
            return SessionsListed(dialog, needle, list(found))

        self._with_base(listed)

    def on_sessions_listed(self, event: SessionsListed) -> None:
        if event.dialog.is_attached:
            event.dialog.show(event.sessions)

    # --- marks and files -----------------------------------------------------------------

    def action_rate(self, rating: int) -> None:
        turn = self.shown_turn
        session_id = self.conversation.session_id
        if turn is None or session_id is None or turn.turn_index is None:
            return
        turn.rating = None if turn.rating == rating else rating
        given, index = turn.rating, turn.turn_index
        self.redraw(turn)

        def rate(base: KnowledgeBase) -> Message:
            base.sessions.rate(session_id, index, given)
            words = {1: "Marked as good", -1: "Marked as bad", None: "Mark taken away"}
            return Said(words[given])

        self._with_base(rate)

    def action_export(self, kind: str) -> None:
        """Write the session into the current folder, as `md` or `json`."""
        session_id = self.conversation.session_id
        if session_id is None:
            self.say("Nothing to export yet.")
            return

        def export(base: KnowledgeBase) -> Message:
            try:
                session = base.with_changes(base.sessions.get(session_id))
                file = write_session(session, Path.cwd(), kind)
            except OSError as failure:
                return Said(f"Not written: {failure.strerror or failure}", is_problem=True)
            return Said(f"Written to {file}")

        self._with_base(export)

    def on_said(self, event: Said) -> None:
        self.say(event.text, is_problem=event.is_problem)

    def _with_base(self, do: Callable[[KnowledgeBase], Message]) -> None:
        """Run `do` in a thread and post what it returns, or why it failed."""
        base = self.base
        if base is None:
            return

        def work() -> None:
            try:
                message = do(base)
            except KebabError as failure:
                message = Said(failure.message, is_problem=True)
            except Exception as failure:  # noqa: BLE001 - told on the screen
                message = Said(unexpected(failure).message, is_problem=True)
            self.post(message)

        self.work("sessions", work)
