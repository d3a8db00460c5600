"""One passage in the list of sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Label

from kebab_tui.words import clip, clip_left, one_line

if TYPE_CHECKING:
    from kebab_core.api import SearchHit

_SNIPPET = 66
_WANTED = {"pinned": (" ◆", "$accent"), "left out": (" ✕", "$warning")}


def place(hit: SearchHit) -> str:
    """Where a passage stands, in words: its headings, its page, its lines."""
    where = hit.citation
    if where.page is not None:
        return f"p. {where.page}"
    if where.slide is not None:
        return f"slide {where.slide}"
    if where.sheet is not None:
        return one_line(f"{where.sheet} {where.cell or ''}").strip()
    if where.cell is not None:
        return f"cell {where.cell}"
    section = one_line(hit.section_label or "")
    if section:
        return section
    first, last = where.start or where.line_start, where.end or where.line_end
    return f"lines {first}–{last}" if first and last else ""


class TopRow(Widget):
    """`● 2 hr/leave-policy.md          0.84`, the file's name kept when room is short."""

    ALLOW_SELECT = False
    cited = reactive(False)
    wanted = reactive("")
    """`pinned`, `left out`, or nothing."""

    def __init__(self, hit: SearchHit) -> None:
        super().__init__()
        self._hit = hit

    def render(self) -> Content:
        hit = self._hit
        score = f"{hit.relevance:.2f}" if hit.relevance is not None else ""
        score = "web" if hit.kind == "web" else score
        mark, tone = ("●", "$accent") if self.cited else ("○", "$text-muted")
        number = str(hit.n or hit.rank)
        stale = " ⚠" if hit.stale else ""
        flag, flag_tone = _WANTED.get(self.wanted, ("", ""))
        room = self.size.width - len(number) - len(score) - len(stale) - len(flag) - 5
        path = one_line(hit.doc_path)
        shown = clip(path, room) if hit.kind == "web" else clip_left(path, room)
        path_content = Content.styled(shown, "$text-muted" if flag == " ✕" else "$text")
        gap = room - path_content.cell_length
        return Content.assemble(
            (mark, tone),
            f" {number} ",
            path_content,
            (stale, "$warning"),
            (flag, flag_tone),
            " " * max(gap + 2, 1),
            (score, "$text-muted"),
        )


class SourceItem(Vertical):
    """Posts `Clicked`; a second click on the highlighted one asks for its preview."""

    class Clicked(Message):
        def __init__(self, item: SourceItem) -> None:
            super().__init__()
            self.item = item

    def __init__(self, hit: SearchHit) -> None:
        super().__init__()
        self.hit = hit
        self._top = TopRow(hit)

    def compose(self) -> ComposeResult:
        yield self._top
        if where := place(self.hit):
            yield Label(Content(where), classes="place")
        if snippet := one_line(self.hit.snippet):
            yield Label(Content(clip(snippet, _SNIPPET)), classes="snippet")

    def light(self, cited: bool, wanted: str = "") -> None:
        """Show whether the answer cites this passage, and whether the next one shall have it."""
        self._top.cited = cited
        self._top.wanted = wanted

    @property
    def is_lit(self) -> bool:
        return self._top.cited

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Clicked(self))
