"""The first row: whose documents on the left, who answers on the right."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from kebab_tui.words import clip

_ROOMY = 100


class Header(Widget):
    """Shortens itself from the right of its left half; the state is never left out."""

    ALLOW_SELECT = False

    workspace = reactive("")
    documents = reactive("")
    indexed = reactive("")
    model = reactive("")
    destination = reactive("")
    web = reactive(False)
    state = reactive("opening")
    tone = reactive("warning")
    """Which role colours the state's dot."""

    def render(self) -> Content:
        width = self.size.width
        right = self._right(width)
        room = width - right.cell_length - 2
        facts = [self.workspace, self.documents, self.indexed if width >= _ROOMY else ""]
        left = Content.assemble(
            ("kebab", "bold $primary"),
            "  ",
            (clip(" · ".join(fact for fact in facts if fact), max(room - 7, 0)), "$text-muted"),
        )
        gap = max(1, width - left.cell_length - right.cell_length)
        return Content.assemble(left, " " * gap, right)

    def _right(self, width: int) -> Content:
        model = clip(self.model, 32 if width >= _ROOMY else max(width // 3, 12))
        parts: list[tuple[str, str]] = [(model, "$text")] if model else []
        if self.destination:
            parts.append((f" → {clip(self.destination, 30)}", "$warning"))
        if width >= _ROOMY:
            parts.append((" · " if parts else "", "$text-muted"))
            parts.append((f"web {'on' if self.web else 'off'}", "$text-muted"))
        elif self.web:
            parts.append((" web", "$warning"))
        gap = "  " if width >= _ROOMY else " "
        return Content.assemble(*parts, gap, ("● ", f"${self.tone}"), (self.state, "$text-muted"))
