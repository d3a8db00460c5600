"""Every state as pictures, in both themes and three sizes.

`make snapshots` accepts them as they are now; look before you do. Where one differs, the new
picture is written beside the test's other temporary files, to be opened next to the old one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytest_textual_snapshot import SVGImageExtension
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from kebab_tui.app import KebabApp
from kebab_tui.themes import DARK, LIGHT
from tests.kebab_tui.conftest import REPO, SNAPSHOTS
from tests.kebab_tui.scenes import BY_SIZE, SCENES, play, stage_for
from tests.kebab_tui.screenshots import SCENE, SIZE
from tests.kebab_tui.stage import SIZES, until

CASES = [
    *((name, tuple(SIZES)) for name in SCENES if name not in BY_SIZE),
    *((name, (size,)) for name in BY_SIZE for size in SIZES),
]


@pytest.mark.parametrize(
    ("name", "sizes"), [pytest.param(*case, id=f"{case[0]}-{case[1][0]}") for case in CASES]
)
async def test_snapshot(
    snapshot: SnapshotAssertion, tmp_path: Path, name: str, sizes: tuple[str, ...]
) -> None:
    """One chat, played once, then resized and given the other theme."""
    app, base = stage_for(name, DARK)
    pictures = snapshot.use_extension(SVGImageExtension)
    differ = []
    async with app.run_test(size=SIZES[sizes[0]]) as pilot:
        await play(name, pilot, base)
        for size in sizes:
            await pilot.resize_terminal(*SIZES[size])
            await until(pilot, lambda: app.chat.size == app.size == app.screen.size)
            for theme in (DARK, LIGHT) if size != "40x12" else (app.theme,):
                app.theme = theme
                picture = await at_rest(pilot, app)
                shown = f"{name}-{size}" if size == "40x12" else f"{name}-{size}-{theme}"
                if picture != pictures(name=shown):
                    new = tmp_path / f"{shown}.svg"
                    new.write_text(picture, encoding="utf-8")
                    differ.append(str(new))
    if base.thinking is not None:
        base.thinking.set()
    app.settle()
    assert not differ


async def at_rest(pilot: Pilot[Any], app: KebabApp) -> str:
    """The picture once it stays as it is."""
    picture = ""
    while picture != (again := app.export_screenshot(title="kebab", simplify=True)):
        picture = again
        await pilot.pause(0.05)
        await pilot.pause()
    return picture


def test_the_picture_of_the_readme_is_the_screen_as_it_is() -> None:
    name = f"{SCENE}-{SIZE}"
    kept = SNAPSHOTS / "test_snapshots" / f"test_snapshot[{name}][{name}-{DARK}].svg"
    shown = REPO / "docs" / "screen.svg"
    assert shown.read_text() == kept.read_text(), "run `make screenshots`"
