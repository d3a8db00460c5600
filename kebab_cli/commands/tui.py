"""`kebab tui`, and `kebab` alone: the full-screen chat."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation

app = new_app()

_BROWSER_DRIVER = "textual.drivers.web_driver:WebDriver"
"""What textual-serve has the chat draw with."""


@command(app)
def tui(
    use: Invocation,
    go_on: Annotated[
        bool, typer.Option("--continue", "-c", help="Open your last session.")
    ] = False,
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="Open this session.")
    ] = None,
    web: Annotated[
        bool, typer.Option("--web", help="Show it in a browser on this machine instead.")
    ] = False,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="With --web; 0 takes a free one.")
    ] = 0,
) -> int:
    """Open the chat, full screen."""
    from kebab_core import api

    if session is not None and go_on:
        raise typer.BadParameter("--session and --continue exclude each other.")
    if web:
        return serve_chat(use, sys.argv[1:], port)
    if not can_open():
        raise api.InvalidInput(
            "The chat needs a terminal, and stdin or stdout isn't one.",
            'Ask from a script with `kebab ask "…"`.',
        )
    return open_chat(use, continue_last=go_on, session=session)


def can_open() -> bool:
    """Whether a person sits at both ends: at a terminal, or in a browser."""
    if os.environ.get("TEXTUAL_DRIVER") == _BROWSER_DRIVER:
        return True
    return all(stream is not None and stream.isatty() for stream in (sys.__stdin__, sys.__stdout__))


def open_chat(use: Invocation, *, continue_last: bool = False, session: str | None = None) -> int:
    """Run the chat until the person leaves it; its exit code."""
    from kebab_tui import run

    configuration = use.configuration
    # The screen reads keys and signals itself.
    use.watch.stop()
    return run(configuration, session_id=session, continue_last=continue_last)


def serve_chat(use: Invocation, arguments: Sequence[str], port: int) -> int:
    """Serve the chat to a browser here until it is interrupted; its exit code.

    `arguments` are those of this call: the chat in the browser is opened with the same.
    """
    from importlib.util import find_spec

    from kebab_core import api

    if find_spec("textual_serve") is None:
        raise api.InvalidInput(
            "The chat in a browser needs textual-serve, which isn't installed.",
            'Install it with `pip install "kebab[browser]"`.',
        )
    # What is wrong with the settings is told here rather than in the browser.
    _ = use.configuration
    from kebab_tui.browser import serve

    output = use.output
    use.watch.stop()

    def tell(address: str) -> None:
        output.result(address)
        output.note(
            "Open this address in a browser on this machine; keep it to yourself. ^C ends it."
        )

    try:
        return serve(_command(arguments), port=port, tell=tell)
    except OSError as failure:
        raise api.IOFailed(
            f"Port {port} can't be listened on: {failure.strerror or failure}.",
            "Take another with `--port`, or leave it out for a free one.",
        ) from failure


def _command(arguments: Sequence[str]) -> str:
    """The same call without `--web` and `--port`, for a shell."""
    kept: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument == "--port":
            next(rest, None)
        elif argument != "--web" and not argument.startswith("--port="):
            kept.append(argument)
    return "exec " + shlex.join([sys.executable, "-m", "kebab_cli", *kept])
