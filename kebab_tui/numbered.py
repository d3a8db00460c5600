"""Lines with their numbers, wrapped to the width, some of them marked."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from kebab_tui.passage import Passage


class NumberedLines(ScrollView, can_focus=True):
    """Draws row by row, so a long document costs no more than what is seen of it."""

    COMPONENT_CLASSES = {"numbered--marked"}

    def __init__(self) -> None:
        super().__init__()
        self._passage: Passage | None = None
        self._rows: list[tuple[int | None, bool, Content]] = []

    def show(self, passage: Passage) -> None:
        """Draw `passage`, its first marked line near the top."""
        self._passage = passage
        self._wrap()
        before = [row for row in self._rows if row[0] is not None]
        wanted = max(0, passage.marked_from - passage.first)
        row = next((at for at, one in enumerate(self._rows) if one is before[wanted]), 0)
        self.scroll_to(y=max(0, row - 3), animate=False, force=True)

    def on_resize(self) -> None:
        self._wrap()

    @property
    def _gutter(self) -> int:
        passage = self._passage
        last = passage.first + len(passage.lines) if passage is not None else 1
        return len(str(last)) + 5

    def _wrap(self) -> None:
        passage = self._passage
        width = self.scrollable_content_region.width
        if passage is None or width <= 0:
            return
        room = max(width - self._gutter, 8)
        rows: list[tuple[int | None, bool, Content]] = []
        for offset, line in enumerate(passage.lines):
            number = passage.first + offset
            marked = passage.marked_from <= number <= passage.marked_to
            parts = line.wrap(room) if line.cell_length > room else [line]
            for at, part in enumerate(parts or [line]):
                rows.append((number if at == 0 else None, marked, part))
        self._rows = rows
        self.virtual_size = Size(width, len(rows))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        at = y + self.scroll_offset.y
        if at >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        number, marked, text = self._rows[at]
        gutter = self._gutter
        shown = "" if number is None else str(number)
        style = self.get_visual_style("numbered--marked") if marked else self.visual_style
        line = Content.assemble(
            ("▌" if marked else " ", "$accent"),
            (f"{shown:>{gutter - 4}}   ", "$text-muted"),
            text,
        )
        return Visual.to_strips(self, line, width, 1, style, pad=True)[0]
