"""The turns, newest at the bottom. Follows what is written until the reader scrolls up."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from kebab_tui.choices import Choices
from kebab_tui.keys import bindings
from kebab_tui.look import Look
from kebab_tui.turn import TurnRecord
from kebab_tui.turn_block import TurnBlock
from kebab_tui.words import count

_PAGE = 12
_MOST = 60
"""Blocks on the screen. Older turns come back on request, so a long session stays light."""


class Earlier(Static):
    """Stands for the turns above that aren't drawn."""

    class Wanted(Message):
        """Show more of them."""

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Wanted())


class Transcript(VerticalScroll, can_focus=True):
    """Holds a block a turn. `selected` is the turn that keys act on; None means the last."""

    BINDINGS = [
        *bindings("transcript"),
        *(Binding(str(n), f"open_number({n})", show=False) for n in range(1, 10)),
    ]

    class Scrolled(Message):
        """Whether the end is in view; `hidden` lines are below it."""

        def __init__(self, hidden: bool) -> None:
            super().__init__()
            self.hidden = hidden

    class NumberPressed(Message):
        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class Moved(Message):
        """Another turn was selected."""

    def __init__(self, look: Look) -> None:
        super().__init__(id="transcript")
        self._look = look
        self._turns: list[TurnRecord] = []
        self._first = 0
        self._was_hidden = False
        self._kept: tuple[TurnBlock, int] | None = None
        self.selected: TurnRecord | None = None

    def on_mount(self) -> None:
        self.screen.screen_layout_refresh_signal.subscribe(self, self._laid_out, immediate=True)

    def compose(self) -> ComposeResult:
        yield Vertical(id="turns")

    @property
    def _list(self) -> Vertical:
        return self.query_one("#turns", Vertical)

    # --- turns ---------------------------------------------------------------------------

    async def show(self, turns: Sequence[TurnRecord]) -> None:
        """Draw these turns and nothing else, the last in view."""
        self._turns = list(turns)
        self._first = max(0, len(turns) - _PAGE)
        self.selected = None
        with self.app.batch_update():
            await self._list.remove_children()
            await self._list.mount_all(
                [*self._top(), *(self._block(turn) for turn in turns[self._first :])]
            )
        self.anchor()

    async def add(self, turn: TurnRecord) -> TurnBlock:
        """Draw one more at the end, and follow it."""
        self._turns.append(turn)
        block = self._block(turn)
        await self._list.mount(block)
        if len(self._turns) - self._first > _MOST:
            await self._drop(len(self._turns) - _MOST // 2)
        self.selected = None
        self.anchor()
        return block

    async def offer(self, questions: Sequence[str]) -> None:
        """Questions to go on with, under the last answer; none takes them away."""
        await self.query(Choices).remove()
        if questions:
            await self._list.mount(Choices(questions, classes="followups"))

    async def remove_turn(self, turn: TurnRecord) -> None:
        if turn in self._turns:
            self._turns.remove(turn)
        if (block := self.block(turn)) is not None:
            await block.remove()

    def block(self, turn: TurnRecord) -> TurnBlock | None:
        return next((block for block in self.query(TurnBlock) if block.turn is turn), None)

    def sync(self) -> None:
        for block in self.query(TurnBlock):
            block.sync()

    def _block(self, turn: TurnRecord) -> TurnBlock:
        return TurnBlock(turn, self._look)

    def _top(self) -> list[Widget]:
        if not self._first:
            return []
        words = f"▲ {count(self._first, 'earlier turn')}"
        return [Earlier(Content.styled(words, "$text-muted"))]

    async def _drop(self, first: int) -> None:
        kept = self._turns[first:]
        await self.query(Earlier).remove()
        for block in self.query(TurnBlock):
            if not any(block.turn is turn for turn in kept):
                await block.remove()
        self._first = first
        await self._list.mount_all(self._top(), before=0)

    async def on_earlier_wanted(self) -> None:
        await self.show_earlier()

    async def show_earlier(self) -> None:
        """Draw one page more above; what is read stays where it is."""
        if not self._first:
            return
        below = self.max_scroll_y - self.scroll_y
        first = max(0, self._first - _PAGE)
        more: list[Widget] = [self._block(turn) for turn in self._turns[first : self._first]]
        self._first = first
        self.release_anchor()
        with self.app.batch_update():
            await self.query(Earlier).remove()
            await self._list.mount_all([*self._top(), *more], before=0)
        self.call_after_refresh(
            lambda: self.scroll_to(y=self.max_scroll_y - below, animate=False, force=True)
        )

    def action_scroll_up(self) -> None:
        if not self._goes_beyond():
            super().action_scroll_up()

    def action_page_up(self) -> None:
        if not self._goes_beyond():
            super().action_page_up()

    def _goes_beyond(self) -> bool:
        """Draw earlier turns for a reader who goes up from the top; False if not there."""
        if self.scroll_y > 0 or not self._first:
            return False
        self.call_later(self.show_earlier)
        return True

    def sync_block(self, block: TurnBlock) -> None:
        """Draw `block` again. What a reader who scrolled up sees stays where it is."""
        self._kept = (block, block.prose_at) if self._anchor_released else None
        block.sync()

    def _laid_out(self, _: object) -> None:
        """After each layout: rows above the reader may have come or gone."""
        self.tell()
        if self._kept is None:
            return
        block, before = self._kept
        moved = block.prose_at - before
        if moved:
            self._kept = None
            if block.virtual_region.y + before < self.scroll_y:
                self.scroll_to(y=self.scroll_y + moved, animate=False, force=True)

    # --- following -----------------------------------------------------------------------

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.tell()

    def tell(self) -> None:
        """Say whether lines are hidden below, when that changed."""
        hidden = self.max_scroll_y - self.scroll_y > 1
        if hidden is not self._was_hidden:
            self._was_hidden = hidden
            self.post_message(self.Scrolled(hidden))

    def action_follow(self) -> None:
        self.selected = None
        self.anchor()
        self.post_message(self.Moved())

    # --- turn by turn --------------------------------------------------------------------

    async def action_turn(self, step: int) -> None:
        """Select the turn above or below the selected one, and bring it into view."""
        if not self._turns:
            return
        last = len(self._turns) - 1
        place = self._index(self.selected) if self.selected is not None else last + (step < 0)
        place = max(0, min(last, place + step))
        if place < self._first:
            await self.show_earlier()
        self.selected = self._turns[place]
        for block in self.query(TurnBlock):
            block.select(block.turn is self.selected)
            if block.turn is self.selected:
                block.scroll_visible(top=True, animate=False)
        self.post_message(self.Moved())

    def _index(self, turn: TurnRecord) -> int:
        return next((i for i, one in enumerate(self._turns) if one is turn), len(self._turns) - 1)

    def action_fold(self) -> None:
        turn = self.selected or (self._turns[-1] if self._turns else None)
        block = self.block(turn) if turn is not None else None
        if block is not None:
            block.fold()

    def action_open_number(self, number: int) -> None:
        self.post_message(self.NumberPressed(number))
