from __future__ import annotations

from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Markdown

from kebab_tui.answer import AnswerText, parser

ORDERED = "".join(f"{n}. item number {n} says\n   more of it\n" for n in range(1, 31))
BULLETS = "".join(f"- point {n}\n\n" if n % 5 else f"- point {n}\n  - nested\n" for n in range(30))
MIXED = f"""\
# Title

Intro [1].

{BULLETS}
Between.

{ORDERED}
```python
x = 1
```

End [2].
"""


class Page(App[None]):
    def __init__(self, text: str | None = None) -> None:
        super().__init__()
        self.answer = AnswerText(text)

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield self.answer

    def shown(self) -> list[str]:
        """Its rows, without blank ones and without the indent that a list's numbers need."""
        height = self.answer.size.height
        strips = self.screen._compositor.render_strips(self.size)
        return [text for strip in strips[:height] if (text := strip.text.strip())]


async def whole(text: str) -> list[str]:
    page = Page(text)
    async with page.run_test(size=(60, 200)) as pilot:
        for _ in range(5):
            await pilot.pause()
        return page.shown()


async def streamed(text: str, step: int) -> list[str]:
    page = Page()
    async with page.run_test(size=(60, 200)) as pilot:
        stream = Markdown.get_stream(page.answer)
        for at in range(0, len(text), step):
            await stream.write(text[at : at + step])
            await pilot.pause(0)
        await stream.stop()
        for _ in range(5):
            await pilot.pause()
        return page.shown()


async def test_streamed_is_the_same_as_whole() -> None:
    expected = await whole(MIXED)
    assert any("30. item number 30 says" in row for row in expected)
    assert await streamed(MIXED, 97) == expected


async def test_of_a_long_list_only_the_end_is_drawn_anew() -> None:
    page = Page()
    async with page.run_test(size=(60, 200)) as pilot:
        for number in range(1, 41):
            await page.answer.append(f"{number}. item\n")
        await pilot.pause()
        last = page.answer.children[-1]
        assert len(last.query("MarkdownBullet")) <= 6
        assert page.shown() == [f"{number}. item" for number in range(1, 41)]


def test_what_becomes_a_link() -> None:
    def links(text: str) -> list[str]:
        return [
            str(child.attrs["href"])
            for token in parser().parse(text)
            for child in token.children or []
            if child.type == "link_open"
        ]

    assert links("Yes [1], and [12][3].") == [f"kebab-passage:{n}" for n in (1, 12, 3)]
    assert links("[4](https://example.com)") == ["https://example.com"]
    assert links("`[1]` and items[a] and notes.md and www.example.com") == []
    assert links("<a href='https://example.com'>x</a>") == []
