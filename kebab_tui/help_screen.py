"""All keys and what the marks mean, from the table of keys."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from kebab_tui.dialog import Dialog
from kebab_tui.keys import KEYS, PLACES, all_keys_of
from kebab_tui.look import Look

_COLUMN = 18

MARKS = (
    ("●", "a passage that the answer cites"),
    ("○", "a passage that was found and isn't cited"),
    ("◆", "pinned: given when the question is asked again"),
    ("✕", "left out when the question is asked again"),
    ("⚠", "the file wasn't seen unchanged lately: it may say something else by now"),
    ("[1]", "the claim before it rests on passage 1; press 1 or click to read it"),
    ("▲", "read this first: the answer isn't from your documents, or something was left out"),
)


def render_help(look: Look) -> Content:
    """One line a key, by place, then the marks."""
    lines: list[Content] = []
    for place, title in PLACES.items():
        lines.append(Content.styled(title, "bold $primary"))
        here = [key for key in KEYS if key.place == place]
        lines += [_row(all_keys_of(key, look.keymap), key.says) for key in here]
        lines.append(Content(""))
    lines.append(Content.styled("Marks", "bold $primary"))
    lines += [_row(mark, meaning) for mark, meaning in MARKS]
    return Content("\n").join(lines)


def _row(left: str, right: str) -> Content:
    return Content.assemble((f"  {left:<{_COLUMN}}", "$accent"), right)


class HelpScreen(Dialog[None]):
    def body(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(render_help(self.look))

    def on_mount(self) -> None:
        super().on_mount()
        self.name_window("Help", "every command: ^p")
        self.query_one(VerticalScroll).focus()
