"""Keeping an answer as a note in a folder of the person's choice."""

from __future__ import annotations

from pathlib import Path

from kebab_tui.desk import Desk
from kebab_tui.messages import Said
from kebab_tui.notes import note_text, title_of, write_note
from kebab_tui.save_note import SaveNote
from kebab_tui.words import one_line


class NoteHandlers(Desk):
    note_folder = "~/notes"
    """Where the last note went, or the first may go."""

    def action_save_note(self) -> None:
        turn = self.shown_turn
        if turn is None or not turn.text:
            self.say("There is no answer to keep yet.")
            return
        text, title = turn, title_of(turn)
        self.open_dialog(
            SaveNote(self.look, folder=self.note_folder, title=title),
            lambda chosen: self._save(note_text(text, chosen[1]), *chosen),
        )

    def _save(self, text: str, folder: str, title: str) -> None:
        self.note_folder = folder

        def write() -> None:
            try:
                file = write_note(Path(folder).expanduser(), title, text)
            except (OSError, RuntimeError) as failure:
                # RuntimeError: a `~name` that is nobody's.
                reason = getattr(failure, "strerror", None) or failure
                self.post(Said(one_line(f"Not saved: {reason}"), is_problem=True))
            else:
                self.post(Said(one_line(f"Saved to {file}")))

        self.work("note", write)
