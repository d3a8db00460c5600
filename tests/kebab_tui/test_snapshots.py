"""Every state as a picture. `make snapshots` accepts them as they are now; look before you do."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from kebab_tui.themes import DARK, LIGHT
from tests.kebab_tui.scenes import SCENES, play, stage_for
from tests.kebab_tui.stage import SIZES

SMALL = ["answered", "streaming", "not_found", "failed", "preview", "sources", "empty"]

def _wanted() -> list[Any]:
    """All scenes at the usual sizes, the windows and rare states in one theme only."""
    both = ["empty", "answered", "streaming", "not_found", "failed", "preview", "sessions"]
    cases = []
    for name in SCENES:
        for size in ("120x36", "80x24"):
            themes = (DARK, LIGHT) if name in both else (DARK,)
            cases += [(name, size, theme) for theme in themes]
        if name in SMALL:
            cases.append((name, "40x12", DARK))
    return [pytest.param(*case, id="-".join(case)) for case in cases]


@pytest.mark.parametrize(("name", "size", "theme"), _wanted())
def test_snapshot(snap_compare: Any, name: str, size: str, theme: str) -> None:
    app, base = stage_for(name, theme)

    async def reach(pilot: Pilot[Any]) -> None:
        await play(name, pilot, base)

    matches = snap_compare(app, terminal_size=SIZES[size], run_before=reach)
    app.settle()
    assert matches
