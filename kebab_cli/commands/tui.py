"""`kebab tui`, and `kebab` alone: the full-screen chat."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation

app = new_app()


@command(app)
def tui(
    use: Invocation,
    go_on: Annotated[
        bool, typer.Option("--continue", "-c", help="Open your last session.")
    ] = False,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Open this session.")
    ] = None,
) -> int:
    """Open the chat, full screen."""
    from kebab_core import api

    if session is not None and go_on:
        raise typer.BadParameter("--session and --continue exclude each other.")
    if not can_open():
        raise api.InvalidInput(
            "The chat needs a terminal, and stdin or stdout isn't one.",
            'Ask from a script with `kebab ask "…"`.',
        )
    return open_chat(use, continue_last=go_on, session=session)


def can_open() -> bool:
    """Whether a person sits at both ends."""
    return all(stream is not None and stream.isatty() for stream in (sys.__stdin__, sys.__stdout__))


def open_chat(use: Invocation, *, continue_last: bool = False, session: str | None = None) -> int:
    """Run the chat until the person leaves it; its exit code."""
    from kebab_tui import run

    configuration = use.configuration
    # The screen reads keys and signals itself.
    use.watch.stop()
    return run(configuration, session_id=session, continue_last=continue_last)
