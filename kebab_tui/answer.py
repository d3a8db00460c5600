"""An answer as live Markdown, its markers as links to the passages."""

from __future__ import annotations

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from textual.message import Message
from textual.widgets import Markdown

from kebab_tui.marks import MARKER

_SCHEME = "kebab-passage:"


def _marker(state: StateInline, silent: bool) -> bool:
    """`[3]` becomes a link to passage 3. `[3](url)` stays what Markdown makes of it."""
    match = MARKER.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        opened = state.push("link_open", "a", 1)
        opened.attrs = {"href": _SCHEME + match.group(1)}
        state.push("text", "", 0).content = match.group()
        state.push("link_close", "a", -1)
    state.pos = match.end()
    return True


@cache
def parser() -> MarkdownIt:
    """Markdown without HTML (a tag is text) and without guessed links (`notes.md` is a file)."""
    markdown = MarkdownIt("gfm-like", {"html": False, "linkify": False})
    markdown.inline.ruler.before("link", "passage_marker", _marker)
    return markdown


class AnswerText(Markdown):
    """Posts `MarkerChosen` for `[n]`; other links are shown, and opened on request only."""

    class MarkerChosen(Message):
        def __init__(self, answer: AnswerText, number: int) -> None:
            super().__init__()
            self.answer = answer
            self.number = number

    class AddressChosen(Message):
        def __init__(self, address: str) -> None:
            super().__init__()
            self.address = address

    def __init__(self, text: str | None = None) -> None:
        super().__init__(text, parser_factory=parser, open_links=False)

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        event.stop()
        event.prevent_default()
        if event.href.startswith(_SCHEME):
            self.post_message(self.MarkerChosen(self, int(event.href.removeprefix(_SCHEME))))
        else:
            self.post_message(self.AddressChosen(event.href))
