"""The sources as a window, where the screen is too narrow for a pane."""

from __future__ import annotations

from textual.app import ComposeResult

from kebab_tui.dialog import Dialog
from kebab_tui.keys import bindings_of
from kebab_tui.look import Look
from kebab_tui.sources import SourceList, SourcesPane
from kebab_tui.turn import TurnRecord


class SourcesSheet(Dialog[tuple[str, int]]):
    """Ends with what to do on the passage of which number, or None."""

    BINDINGS = bindings_of("chat.sources")

    def __init__(self, look: Look, turn: TurnRecord) -> None:
        super().__init__(look)
        self._turn = turn
        self.pane = SourcesPane("sheet")

    def body(self) -> ComposeResult:
        yield self.pane

    def hint_keys(self) -> list[tuple[str, str]]:
        ids = ("preview", "pin", "leave", "again", "cited", "filter")
        return [*((f"sources.{one}", "") for one in ids), ("preview.close", "")]

    def on_mount(self) -> None:
        super().on_mount()
        self.call_later(self._fill)

    async def _fill(self) -> None:
        await self.pane.follow(self._turn)
        self.pane.query_one(SourceList).focus()

    def on_source_list_acted(self, event: SourceList.Acted) -> None:
        event.stop()
        self.dismiss((event.action, event.hit.n or event.hit.rank))

    def on_sources_pane_wanted(self, event: SourcesPane.Wanted) -> None:
        event.stop()
        self.tell(event)

    def action_close(self) -> None:
        if self.pane.clear_filter():
            self.pane.query_one(SourceList).focus()
        else:
            self.dismiss(None)

    def action_sources(self) -> None:
        self.dismiss(None)
