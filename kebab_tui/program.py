"""From settings to a running chat, and out of it again."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from kebab_core import api
from kebab_core.api import ConfigInvalid
from kebab_tui import themes
from kebab_tui.app import KebabApp
from kebab_tui.habits import Habits

if TYPE_CHECKING:
    from kebab_core.api import Configuration


def show(configuration: Configuration, *, session_id: str | None, continue_last: bool) -> int:
    """See `kebab_tui.run`."""
    if session_id is not None:
        with api.KnowledgeBase.open(configuration) as base:
            base.sessions.get(session_id)
    app = build(configuration, session_id=session_id, continue_last=continue_last)
    try:
        code = app.run()
    finally:
        app.settle()
    if app.crash is not None:
        raise app.crash
    return code or 0


def build(
    configuration: Configuration, *, session_id: str | None = None, continue_last: bool = False
) -> KebabApp:
    """The chat with the person's theme, keys and habits. Raises ConfigInvalid."""
    settings, habits = configuration.settings, Habits(configuration)
    app = KebabApp(
        lambda: api.KnowledgeBase.open(configuration),
        workspace=configuration.workspace.name,
        theme=habits.theme,
        keys=settings.tui.keys,
        reduced_motion=habits.reduced_motion,
        web=settings.web.default,
        habits=habits,
        session_id=session_id,
        continue_last=continue_last,
    )
    if settings.tui.theme not in app.available_themes:
        near = difflib.get_close_matches(settings.tui.theme, app.available_themes, 1, 0)
        raise ConfigInvalid(
            f"[tui].theme is {settings.tui.theme!r}, and there is no such theme.",
            f"The nearest is {(near or [themes.DARK])[0]!r}.",
        )
    return app
