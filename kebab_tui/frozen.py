"""What lies below a window: dimmed once, not with each key that is pressed above it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from textual.color import Color
from textual.css.styles import RulesMap
from textual.geometry import Size
from textual.renderables.background_screen import BackgroundScreen
from textual.screen import Screen
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual


class Frozen(Visual):
    """A screen as it was, tinted. Textual's own way draws all of it anew for every change."""

    def __init__(self, strips: Sequence[Strip], size: Size, laid_out_for: Size) -> None:
        self.strips = list(strips)
        self.size = size
        self.laid_out_for = laid_out_for

    @classmethod
    def of(cls, screen: Screen[object], tint: Color, size: Size, console: Console) -> Frozen:
        options = console.options.update_dimensions(size.width, size.height)
        lines = console.render_lines(BackgroundScreen(screen, tint), options, pad=True)
        strips = [Strip(line, size.width) for line in lines[: size.height]]
        return cls(strips, size, screen.size)

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        return self.strips if height is None else self.strips[:height]

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        return self.size.width

    def get_height(self, rules: RulesMap, width: int) -> int:
        return self.size.height
