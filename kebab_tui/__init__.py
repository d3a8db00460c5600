"""The full-screen chat over one's own documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kebab_core.api import Configuration

__all__ = ["run"]


def run(
    configuration: Configuration, *, session_id: str | None = None, continue_last: bool = False
) -> int:
    """Show the chat until the person leaves it; the exit code.

    0, or 128 + n when signal n ended it. Raises NotFound for a `session_id` there isn't,
    ConfigInvalid for settings of the chat that can't be right, and what a crash was caused by
    (when the terminal is as it was before).
    """
    from kebab_tui.program import show

    return show(configuration, session_id=session_id, continue_last=continue_last)
