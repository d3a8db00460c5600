"""An answer as live Markdown, its markers as links to the passages."""

from __future__ import annotations

import asyncio
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from textual.await_complete import AwaitComplete
from textual.message import Message
from textual.widgets import Markdown

from kebab_tui.marks import MARKER

_SCHEME = "kebab-passage:"
_OPEN_ITEMS = 6
"""Items of a list that grows. Those before are sealed, or each word would draw them all anew."""


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
        # Textual cuts off what is parsed already before it waits its turn.
        self._appending = asyncio.Lock()

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        event.stop()
        event.prevent_default()
        if event.href.startswith(_SCHEME):
            self.post_message(self.MarkerChosen(self, int(event.href.removeprefix(_SCHEME))))
        else:
            self.post_message(self.AddressChosen(event.href))

    def append(self, markdown: str) -> AwaitComplete:
        """Add `markdown`. A list that grows long is sealed but for its last item."""

        async def append_and_seal() -> None:
            async with self._appending:
                await Markdown.append(self, markdown)
                await self._seal_list()

        return AwaitComplete(append_and_seal())

    async def _seal_list(self) -> None:
        """Textual parses the last block anew for each piece; make the last item that block."""
        lines = self.source.splitlines(keepends=True)
        tail = "".join(lines[self._last_parsed_line :])
        items = [
            token.map[0]
            for token in parser().parse(tail)
            if token.type == "list_item_open" and token.level == 1 and token.map
        ]
        if len(items) <= _OPEN_ITEMS or not self.children:
            return
        grown = self.children[-1]
        last = "".join(lines[self._last_parsed_line + items[-1] :])
        with self.app.batch_update():
            await grown.children[-1].remove()
            grown.add_class("-sealed")
            await self.mount_all(self._build_from_source(last))
        self._last_parsed_line += items[-1]
