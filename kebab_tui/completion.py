"""What `@` may be completed to, above the prompt while one types."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from kebab_tui.words import clip, clip_left, one_line

MOST = 6


class Completion(Widget):
    """Shows names with their titles; the prompt keeps the focus and moves the mark."""

    ALLOW_SELECT = False

    chosen = reactive(0)
    """The row with the mark; -1 is none."""

    class Taken(Message):
        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self) -> None:
        super().__init__(id="completion")
        self._names: list[str] = []
        self._titles: list[str] = []

    @property
    def is_open(self) -> bool:
        return bool(self._names)

    @property
    def name_chosen(self) -> str | None:
        return self._names[self.chosen] if self._names and self.chosen >= 0 else None

    def show(self, names: Sequence[str], titles: Sequence[str], *, at: int = 0) -> None:
        """Offer `names`, the mark on row `at`; no names close it."""
        if list(names) != self._names:
            self.chosen = at
        self._names, self._titles = list(names), list(titles)
        self.display = bool(names)
        self.styles.height = len(names)
        self.refresh()

    def move(self, step: int) -> None:
        start = -1 if self.chosen < 0 < step else max(self.chosen, 0)
        self.chosen = (start + step) % max(1, len(self._names))

    def render(self) -> Content:
        width = self.size.width
        rows = []
        for place, (name, title) in enumerate(zip(self._names, self._titles, strict=True)):
            shown = clip_left(one_line(name), max(width - 4, 8))
            said = clip(one_line(title), max(width - len(shown) - 8, 0))
            row = Content.assemble(
                ("  @", "$primary"), (shown, "$text"), "   ", (said, "$text-muted")
            ).truncate(width, pad=True)
            if place == self.chosen:
                row = row.stylize("on $primary 22%")
            rows.append(row.stylize(Style.from_meta({"place": place})))
        return Content("\n").join(rows)

    def on_click(self, event: events.Click) -> None:
        place = event.style.meta.get("place")
        if isinstance(place, int) and place < len(self._names):
            self.post_message(self.Taken(self._names[place]))
