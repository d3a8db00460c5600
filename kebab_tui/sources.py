"""The passages of a turn: filled when they are found, lit as the answer cites them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input, Static

from kebab_tui.keys import bindings
from kebab_tui.source_item import SourceItem
from kebab_tui.turn import Phase, TurnRecord

if TYPE_CHECKING:
    from kebab_core.api import SearchHit


def subtitle(turn: TurnRecord) -> str:
    """What the list is at this moment: `5 read · hybrid`, `2 cited · hybrid`."""
    mode = turn.answer.retrieval.mode if turn.answer is not None else _mode(turn.hits)
    if turn.phase is Phase.ABSTAINED and turn.answer is not None:
        return f"nearest {len(turn.hits)} · bar {turn.answer.retrieval.score_gate:.2f}"
    if turn.phase is Phase.FAILED:
        return f"from search · {mode}"
    if turn.cited:
        return f"{len(turn.cited)} cited · {mode}"
    return f"{len(turn.hits)} {'read' if turn.phase.is_running else 'retrieved'} · {mode}"


def _mode(hits: list[SearchHit]) -> str:
    methods = {hit.retrieval.method for hit in hits}
    return methods.pop() if len(methods) == 1 else "hybrid"


class SourceList(VerticalScroll, can_focus=True):
    BINDINGS = bindings("sources")

    highlighted = reactive(0, init=False)

    class Acted(Message):
        """`action` (preview, editor, copy or again) on `hit`."""

        def __init__(self, action: str, hit: SearchHit) -> None:
            super().__init__()
            self.action = action
            self.hit = hit

    class Marked(Message):
        """`hit` shall be pinned, or left out."""

        def __init__(self, hit: SearchHit, *, is_pin: bool) -> None:
            super().__init__()
            self.hit = hit
            self.is_pin = is_pin

    @property
    def items(self) -> list[SourceItem]:
        return [item for item in self.query(SourceItem) if item.display]

    def watch_highlighted(self) -> None:
        self.mark()

    def mark(self) -> None:
        items = self.items
        for place, item in enumerate(items):
            item.set_class(place == self.highlighted, "-highlighted")
        if self.highlighted < len(items):
            items[self.highlighted].scroll_visible(animate=False)

    def action_move(self, step: int) -> None:
        self.highlighted = max(0, min(len(self.items) - 1, self.highlighted + step))

    def action_preview(self) -> None:
        self._act("preview")

    def action_editor(self) -> None:
        self._act("editor")

    def action_copy(self) -> None:
        self._act("copy")

    def action_again(self) -> None:
        self._act("again")

    def action_pin(self) -> None:
        self._mark(is_pin=True)

    def action_leave_out(self) -> None:
        self._mark(is_pin=False)

    def _mark(self, *, is_pin: bool) -> None:
        items = self.items
        if self.highlighted < len(items):
            self.post_message(self.Marked(items[self.highlighted].hit, is_pin=is_pin))

    def _act(self, action: str) -> None:
        items = self.items
        if self.highlighted < len(items):
            self.post_message(self.Acted(action, items[self.highlighted].hit))

    def on_source_item_clicked(self, event: SourceItem.Clicked) -> None:
        event.stop()
        self.focus()
        self.highlighted = self.items.index(event.item)
        self._act("preview")

    def action_cited(self) -> None:
        self.post_message(SourcesPane.CitedOnly())

    def action_filter(self) -> None:
        self.post_message(SourcesPane.FilterWanted())


class SourcesPane(Vertical):
    """A list with a filter. `follow` shows a turn; `light` keeps up with its citations."""

    class CitedOnly(Message):
        """Toggle: cited passages only."""

    class Wanted(Message):
        """A passage of `turn` was pinned or left out."""

        def __init__(self, turn: TurnRecord) -> None:
            super().__init__()
            self.turn = turn

    class FilterWanted(Message):
        """The person wants to type a filter."""

    cited_only = reactive(False, init=False)

    def __init__(self, id: str) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(id=id)
        self._turn: TurnRecord | None = None
        self._shown: list[SearchHit] = []

    def compose(self) -> ComposeResult:
        yield Input(placeholder="Type to filter…", classes="filter", compact=True)
        yield SourceList()
        yield Static(classes="nothing")

    def on_mount(self) -> None:
        self.query_one(Input).display = False
        self._refit()

    @property
    def turn(self) -> TurnRecord | None:
        return self._turn

    async def follow(self, turn: TurnRecord | None) -> None:
        """Show the passages of `turn`. Those already drawn stay as they are."""
        fresh = turn is not self._turn
        self._turn = turn
        hits = turn.hits if turn is not None else []
        source_list = self.query_one(SourceList)
        if hits != self._shown:
            with self.app.batch_update():
                await source_list.remove_children()
                await source_list.mount_all([SourceItem(hit) for hit in hits])
            self._shown = list(hits)
            source_list.highlighted = 0
        if fresh:
            source_list.scroll_home(animate=False)
        self.light()

    def light(self) -> None:
        """Mark what is cited by now, and say how it stands."""
        cited = self._turn.cited if self._turn is not None else set()
        for item in self.query(SourceItem):
            item.light((item.hit.n or 0) in cited, self._wanted(item.hit))
        self._refit()

    def _wanted(self, hit: SearchHit) -> str:
        turn = self._turn
        if turn is None:
            return ""
        if hit.chunk_id in turn.pinned:
            return "pinned"
        return "left out" if hit.chunk_id in turn.left_out else ""

    def on_source_list_marked(self, event: SourceList.Marked) -> None:
        event.stop()
        turn, hit = self._turn, event.hit
        if turn is None:
            return
        if hit.kind == "web":
            self.notify("Only passages of your documents can be pinned or left out.")
            return
        (turn.pin if event.is_pin else turn.leave_out)(hit.chunk_id)
        self.light()
        self.post_message(self.Wanted(turn))

    def highlight(self, number: int) -> None:
        """Put the mark on passage `number`."""
        source_list = self.query_one(SourceList)
        for place, item in enumerate(source_list.items):
            if item.hit.n == number:
                source_list.highlighted = place

    # --- what is shown -------------------------------------------------------------------

    def watch_cited_only(self) -> None:
        self._refit()

    def on_sources_pane_cited_only(self, event: CitedOnly) -> None:
        event.stop()
        self.cited_only = not self.cited_only

    def on_sources_pane_filter_wanted(self, event: FilterWanted) -> None:
        event.stop()
        filter_box = self.query_one(Input)
        filter_box.display = True
        filter_box.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._refit()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one(SourceList).focus()

    def clear_filter(self) -> bool:
        """Take the filter away; False if there was none."""
        filter_box = self.query_one(Input)
        had = filter_box.display
        filter_box.value = ""
        filter_box.display = False
        return had

    def _refit(self) -> None:
        turn = self._turn
        cited = turn.cited if turn is not None else set()
        needle = self.query_one(Input).value.casefold()
        shown = 0
        for item in self.query(SourceItem):
            fits = needle in _searchable(item.hit) and (not self.cited_only or item.hit.n in cited)
            item.display = fits
            shown += fits
        total = len(self._shown)
        self.border_title = Content(f"Sources ({shown if shown == total else f'{shown}/{total}'})")
        words = [] if turn is None or not turn.hits else [subtitle(turn)]
        if self.cited_only:
            words.insert(0, "cited only")
        self.border_subtitle = Content(" · ".join(words))
        nothing = self.query_one(".nothing", Static)
        nothing.display = not shown
        nothing.update(Content(self._why_nothing(total)))
        source_list = self.query_one(SourceList)
        source_list.display = bool(shown)
        source_list.highlighted = min(source_list.highlighted, max(0, shown - 1))
        source_list.mark()

    def _why_nothing(self, total: int) -> str:
        if total:
            return "No passage fits the filter." if not self.cited_only else "Nothing is cited yet."
        if self._turn is not None and self._turn.phase is Phase.SEARCHING:
            return "Searching…"
        return "No passages."


def _searchable(hit: SearchHit) -> str:
    return f"{hit.doc_path}\n{hit.section_label or ''}\n{hit.snippet_full_text}".casefold()
