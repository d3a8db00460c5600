"""Sources: the pane, the sheet, the preview, the editor, the clipboard."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from textual.app import SuspendNotSupported
from textual.message import Message

from kebab_core import api
from kebab_core.api import KebabError, for_display
from kebab_tui import editor
from kebab_tui.answer import AnswerText
from kebab_tui.asking import unexpected
from kebab_tui.clipboard import takes_copies
from kebab_tui.desk import Desk
from kebab_tui.exports import answer_with_sources
from kebab_tui.passage import Passage, load_passage
from kebab_tui.preview import Preview
from kebab_tui.sheet import SourcesSheet
from kebab_tui.sources import SourceList, SourcesPane
from kebab_tui.transcript import Transcript
from kebab_tui.turn import TurnRecord
from kebab_tui.turn_block import TurnBlock
from kebab_tui.words import count, one_line

if TYPE_CHECKING:
    from kebab_core.api import Error, SearchHit


class PassageRead(Message):
    """A document's text around a hit, or why it can't be shown."""

    def __init__(self, preview: Preview, passage: Passage | None, error: Error | None) -> None:
        super().__init__()
        self.preview = preview
        self.passage = passage
        self.error = error


class SourceHandlers(Desk):
    """The pane follows the selected turn, or the newest that has passages."""

    pane_wanted = True

    @property
    def shown_turn(self) -> TurnRecord | None:
        """The turn that keys about answers and sources act on."""
        selected = self.transcript.selected
        if selected is not None:
            return selected
        with_hits = [turn for turn in self.conversation.turns if turn.hits]
        return with_hits[-1] if with_hits else self.conversation.last

    async def show_sources(self, turn: TurnRecord | None) -> None:
        """Fill the pane, and the sheet if it is open, with the passages of `turn`."""
        has_hits = turn is not None and bool(turn.hits)
        self.pane.display = has_hits and self.pane_wanted and not self.look.narrow
        if turn is None or has_hits:
            await self.pane.follow(turn)
        sheet = self.app.screen
        if isinstance(sheet, SourcesSheet):
            await sheet.pane.follow(turn)

    def light_sources(self, turn: TurnRecord) -> None:
        """Light the passages that `turn` has cited by now."""
        if self.pane.turn is turn:
            self.pane.light()
        sheet = self.app.screen
        if isinstance(sheet, SourcesSheet):
            sheet.pane.light()

    async def on_transcript_moved(self) -> None:
        await self.show_sources(self.shown_turn)
        self.sync()

    # --- keys ----------------------------------------------------------------------------

    async def action_sources(self) -> None:
        turn = self.shown_turn
        if turn is None or not turn.hits:
            self.say("No sources yet: ask something first.")
            return
        if self.look.narrow:
            self.open_dialog(SourcesSheet(self.look, turn), self._from_sheet)
            return
        if self.focused_place == "sources":
            self.pane_wanted = False
            self.pane.display = False
            self.prompt.focus()
            return
        self.pane_wanted = True
        await self.show_sources(turn)
        self.call_after_refresh(self.pane.query_one(SourceList).focus)

    def _from_sheet(self, result: tuple[str, int]) -> None:
        action, number = result
        turn = self.shown_turn
        if turn is not None and (hit := turn.hit(number)) is not None:
            self._act(action, hit)

    def on_source_list_acted(self, event: SourceList.Acted) -> None:
        self._act(event.action, event.hit)

    def _act(self, action: str, hit: SearchHit) -> None:
        if action == "preview":
            self._preview(hit)
        elif action == "copy":
            self._copy_citation(hit)
        elif action == "again":
            self.call_later(self.ask_again)
        else:
            self._edit(hit, hit.citation.start or hit.citation.line_start or 1)

    def on_sources_pane_wanted(self, event: SourcesPane.Wanted) -> None:
        self.light_sources(event.turn)
        self.redraw(event.turn)

    async def ask_again(self) -> None:
        """The question whose passages are shown, with those that were pinned and left out."""
        turn = self.shown_turn
        if turn is not None:
            self.prompt.focus()
            await self.send(turn.again)

    def on_transcript_number_pressed(self, event: Transcript.NumberPressed) -> None:
        self.open_passage(self.shown_turn, event.number)

    async def on_turn_block_passage_chosen(self, event: TurnBlock.PassageChosen) -> None:
        await self.show_sources(event.turn)
        self.open_passage(event.turn, event.number)

    def open_passage(self, turn: TurnRecord | None, number: int) -> None:
        """Show passage `number` of `turn` in its document."""
        hit = turn.hit(number) if turn is not None else None
        if hit is None:
            self.say(f"There is no passage {number} here.")
            return
        self.pane.highlight(number)
        self._preview(hit)

    # --- preview -------------------------------------------------------------------------

    def _preview(self, hit: SearchHit) -> None:
        turn = self.shown_turn
        hits = turn.hits if turn is not None and hit in turn.hits else [hit]
        self.open_dialog(Preview(self.look, hits, hits.index(hit)))

    def on_preview_wanted(self, event: Preview.Wanted) -> None:
        base, preview, hit = self.base, event.preview, event.hit
        if base is None:
            return

        def read() -> None:
            try:
                found = PassageRead(preview, load_passage(base, hit), None)
            except KebabError as failure:
                found = PassageRead(preview, None, api.Error.of(failure))
            except Exception as failure:  # noqa: BLE001 - told in the preview
                found = PassageRead(preview, None, api.Error.of(unexpected(failure)))
            self.post(found)

        self.work("read", read)

    def on_passage_read(self, event: PassageRead) -> None:
        if not event.preview.is_attached:
            return
        if event.passage is not None:
            event.preview.show(event.passage)
        elif event.error is not None:
            event.preview.fail(event.error)

    def on_preview_did(self, event: Preview.Did) -> None:
        if event.action == "copy":
            self._copy_citation(event.passage.hit)
        else:
            self._edit(event.passage.hit, event.passage.marked_from)

    # --- editor, clipboard, links --------------------------------------------------------

    def _edit(self, hit: SearchHit, line: int) -> None:
        if hit.kind == "web":
            self.open_address(hit.citation.uri)
            return
        if hit.file_path is None:
            self.say("This document has no file on this machine.", is_problem=True)
            return
        words = editor.command(hit.file_path, line)
        if words is None:
            self.say("Set VISUAL or EDITOR to the editor of your choice.", is_problem=True)
            return
        try:
            with self.app.suspend():
                code = subprocess.run(words, check=False).returncode
        except SuspendNotSupported:
            self.say("The editor needs a terminal of its own.", is_problem=True)
        except OSError as failure:
            reason = failure.strerror or "it failed"
            self.say(f"{one_line(words[0])} could not be started: {reason}.", is_problem=True)
        else:
            if code:
                self.say(f"{one_line(words[0])} ended with code {code}.", is_problem=True)

    def _copy_citation(self, hit: SearchHit) -> None:
        self.copy(hit.citation.uri, f"Copied {one_line(hit.citation.uri)}")

    def copy(self, text: str, said: str) -> None:
        shown = for_display(text)
        self.app.copy_to_clipboard(shown)
        if self.app.is_web or takes_copies(shown):
            self.say(said)

    def action_copy_answer(self) -> None:
        turn = self.shown_turn
        if turn is not None and turn.text:
            self.copy(turn.text, f"Copied the answer, {count(len(turn.text), 'character')}")

    def action_copy_turn(self) -> None:
        """The question, the answer and its sources, as Markdown."""
        turn = self.shown_turn
        if turn is not None:
            self.copy(answer_with_sources(turn), "Copied the question, the answer and its sources")

    def on_answer_text_address_chosen(self, event: AnswerText.AddressChosen) -> None:
        self.open_address(event.address)

    def open_address(self, address: str) -> None:
        """Open a web address in the browser; anything else is only said."""
        shown = one_line(address)
        if urlsplit(address).scheme not in ("http", "https"):
            self.say(f"Not opened: {shown}", is_problem=True)
            return
        self.say(f"Opening {shown}")
        self.app.open_url(address)
