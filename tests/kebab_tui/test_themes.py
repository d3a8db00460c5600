from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.color import Color

import kebab_tui
from kebab_tui.themes import DARK, GROUNDS, HIGHLIGHT, LIGHT, ROLES, roles

TEXTS = [role for role in ROLES if role not in (*GROUNDS, "dim")]


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("role", [*TEXTS, "dim"])
def test_text_can_be_read(theme: str, ground: str, role: str) -> None:
    colours = roles(theme)
    wanted = 3.0 if role == "dim" else 4.5
    assert contrast(Color.parse(colours[role]), Color.parse(colours[ground])) >= wanted


@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize("ground", GROUNDS)
def test_text_can_be_read_where_it_is_highlighted(theme: str, ground: str) -> None:
    colours = roles(theme)
    under = Color.parse(colours[ground]) + Color.parse(colours["primary"]).with_alpha(HIGHLIGHT)
    assert contrast(Color.parse(colours["text"]), under) >= 4.5
    assert contrast(Color.parse(colours["dim"]), under) >= 3.0


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_text_on_the_cursor_can_be_read(theme: str) -> None:
    colours = roles(theme)
    assert contrast(Color.parse(colours["background"]), Color.parse(colours["primary"])) >= 4.5


def test_colours_are_named_in_one_place() -> None:
    package = Path(kebab_tui.__file__).parent
    hexes = re.compile(r"#[0-9A-Fa-f]{6}\b|#[0-9A-Fa-f]{3}\b(?![0-9A-Za-z_-])")
    guilty = [
        path.name
        for path in package.rglob("*")
        if path.suffix in (".py", ".tcss") and hexes.search(path.read_text(encoding="utf-8"))
    ]
    assert guilty == ["themes.py"]


def contrast(text: Color, ground: Color) -> float:
    """The ratio of WCAG 2.2."""
    high, low = sorted((_luminance(text), _luminance(ground)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Color) -> float:
    parts = [part / 255 for part in (colour.r, colour.g, colour.b)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
