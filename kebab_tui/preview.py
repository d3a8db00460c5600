"""A passage in its document, with real line numbers and the cited lines marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from kebab_tui.dialog import Dialog
from kebab_tui.keys import bindings
from kebab_tui.look import Look
from kebab_tui.numbered import NumberedLines
from kebab_tui.passage import Passage
from kebab_tui.source_item import place
from kebab_tui.words import clip, clip_left, date, one_line

if TYPE_CHECKING:
    from kebab_core.api import Error, SearchHit


class Preview(Dialog[None]):
    """Walks through `hits` from `at`.

    The screen asks for text by `Wanted`; whoever loads it calls `show` (or `fail`).
    """

    BINDINGS = bindings("preview")

    class Wanted(Message):
        def __init__(self, preview: Preview, hit: SearchHit) -> None:
            super().__init__()
            self.preview = preview
            self.hit = hit

    class Did(Message):
        """`action` (editor or copy) on the hit; the preview stays open."""

        def __init__(self, action: str, passage: Passage) -> None:
            super().__init__()
            self.action = action
            self.passage = passage

    def __init__(self, look: Look, hits: Sequence[SearchHit], at: int) -> None:
        super().__init__(look)
        self._hits = list(hits)
        self._at = at
        self._passage: Passage | None = None

    @property
    def hit(self) -> SearchHit:
        return self._hits[self._at]

    @property
    def passage(self) -> Passage | None:
        """What is shown, None while it loads."""
        return self._passage

    def body(self) -> ComposeResult:
        yield Static(classes="where")
        yield NumberedLines()

    def hint_keys(self) -> list[tuple[str, str]]:
        ids = ("before", "after", "editor", "copy", "close")
        return [(f"preview.{one}", "") for one in ids]

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(NumberedLines).focus()
        self._want()

    def on_resize(self) -> None:
        super().on_resize()
        self._name_hit()
        if self._passage is not None:
            self.query_one(".where", Static).update(self._where(self._passage))

    def _want(self) -> None:
        self._passage = None
        self._name_hit()
        self.query_one(".where", Static).update(Content.styled("Reading…", "$text-muted"))
        self.tell(self.Wanted(self, self.hit))

    def _name_hit(self) -> None:
        number = self.hit.n or self._at + 1
        path = clip_left(one_line(self.hit.doc_path), max(self.size.width - 24, 10))
        self.name_window(f"{number} · {path}", f"hit {self._at + 1} of {len(self._hits)}")

    def show(self, passage: Passage) -> None:
        """Draw `passage`, unless the reader has gone on to another hit."""
        if passage.hit is not self.hit:
            return
        self._passage = passage
        self.query_one(".where", Static).update(self._where(passage))
        self.query_one(NumberedLines).show(passage)

    def fail(self, error: Error) -> None:
        self.query_one(".where", Static).update(Content.styled(one_line(error.message), "$error"))

    def _where(self, passage: Passage) -> Content:
        hit = passage.hit
        lines = f"lines {passage.marked_from}–{passage.marked_to} of {passage.total}"
        facts, where = [lines], place(hit)
        room = self.query_one(".where").size.width or 80
        if hit.relevance is not None and room >= 50:
            facts.append(f"score {hit.relevance:.2f}")
        if room >= 70:
            facts.append(f"indexed {date(hit.indexed_at, self.look.clock.now())}")
        where = clip(where, room - len(" · ".join(facts)) - 3)
        head = Content.assemble(
            (where, "bold $text"), "   " if where else "", (" · ".join(facts), "$text-muted")
        )
        if passage.note:
            return Content.assemble(head, "\n", ("▲ ", "$warning"), (passage.note, "$warning"))
        return head

    # --- keys ----------------------------------------------------------------------------

    def action_hit(self, step: int) -> None:
        if len(self._hits) > 1:
            self._at = (self._at + step) % len(self._hits)
            self._want()

    def action_editor(self) -> None:
        self._do("editor")

    def action_copy(self) -> None:
        self._do("copy")

    def _do(self, action: str) -> None:
        if self._passage is not None:
            self.tell(self.Did(action, self._passage))
