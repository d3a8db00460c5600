"""What stands on the screen, as text."""

from __future__ import annotations

from kebab_tui.app import KebabApp


def drawn(app: KebabApp) -> str:
    """Every row of the terminal, as it is now."""
    strips = app.screen._compositor.render_strips(app.size)
    return "\n".join(strip.text.rstrip() for strip in strips)


def status(app: KebabApp) -> str:
    """The row above the prompt."""
    return app.chat.status.render().plain


def said(app: KebabApp) -> str:
    """The words said in passing, newest last."""
    return "\n".join(notification.message for notification in app._notifications)
