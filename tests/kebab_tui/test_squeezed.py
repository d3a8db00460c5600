"""Between two sizes of the terminal, what is drawn may have no room at all for a moment."""

from __future__ import annotations

from kebab_tui.sources import SourcesPane
from tests.kebab_tui.look import drawn
from tests.kebab_tui.stage import PARENTAL, ask, chat, handbook, opened


async def test_a_pane_as_wide_as_the_screen_leaves_the_transcript_a_little() -> None:
    app = chat(handbook())
    async with app.run_test(size=(120, 36)) as pilot:
        await opened(pilot)
        await ask(pilot, PARENTAL)
        for width in range(96, 122):
            app.chat.query_one(SourcesPane).styles.width = width
            await pilot.pause()
        app.chat.query_one(SourcesPane).styles.width = 42
        await pilot.pause()
        assert "26 weeks" in drawn(app)
    app.settle()
