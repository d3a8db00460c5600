"""The last row: what can be pressed now, by focus and state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from kebab_tui.keys import BY_ID, key_of

_NARROW = 100


def choose(hints: Sequence[tuple[str, str]], width: int) -> Sequence[tuple[str, str]]:
    """At most seven hints at 80 columns and eight at 120; help and quit are never dropped."""
    most = 8 if width >= _NARROW else 7
    if width < 60:
        most = 4
    if len(hints) <= most:
        return hints
    ends = [hint for hint in hints if hint[0] in ("app.help", "app.quit")]
    rest = [hint for hint in hints if hint not in ends]
    return [*rest[: most - len(ends)], *ends]


class Hints(Widget):
    """`hints` are pairs of a key's id and a word for it (empty: the key's own word)."""

    ALLOW_SELECT = False
    auto_links = False

    hints: reactive[tuple[tuple[str, str], ...]] = reactive(())

    def __init__(self, keymap: Mapping[str, str]) -> None:
        super().__init__(id="hints")
        self._keymap = keymap

    def render(self) -> Content:
        width = self.size.width
        shown = list(choose(self.hints, width))
        while shown:
            line = self._line(shown)
            if line.cell_length <= width:
                return line
            # The last but help and quit goes first.
            droppable = [one for one in shown if one[0] not in ("app.help", "app.quit")]
            shown.remove((droppable or shown)[-1])
        return Content("")

    def _line(self, shown: Sequence[tuple[str, str]]) -> Content:
        parts: list[Content] = []
        for key_id, word in shown:
            key = BY_ID[key_id]
            hint = Content.assemble(
                (key_of(key_id, self._keymap), "bold $primary"),
                " ",
                (word or key.hint, "$text-muted"),
            )
            if key.action:
                hint = hint.stylize(Style.from_meta({"@click": f"app.press({key_id!r})"}))
            parts.append(hint)
        return Content(" ") + Content("  ").join(parts)
