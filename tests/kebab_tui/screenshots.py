"""The README's picture, from the same scene as the snapshots: `make screenshots`."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

from kebab_tui.themes import DARK
from tests.kebab_tui.scenes import play, stage_for
from tests.kebab_tui.stage import SIZES

SCENE = "answered"
SIZE = "120x36"


async def picture() -> str:
    """The scene as SVG."""
    app, base = stage_for(SCENE, DARK)
    async with app.run_test(size=SIZES[SIZE]) as pilot:
        await play(SCENE, pilot, base)
        await pilot.pause()
        shown = app.export_screenshot(title="kebab", simplify=True)
    app.settle()
    # Rich numbers its classes by chance, for pages that hold several pictures.
    return re.sub(r"terminal-\d+", "terminal", shown)


def main() -> None:
    Path(sys.argv[1]).write_text(asyncio.run(picture()), encoding="utf-8")


if __name__ == "__main__":
    main()
