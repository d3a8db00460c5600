"""`kebab serve`: the HTTP ask service."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation
from kebab_cli.output import dim

app = new_app()


@command(app)
def serve(
    use: Invocation,
    host: Annotated[
        str | None, typer.Option("--host", metavar="ADDRESS", help="Address to listen on.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", metavar="N", min=0, max=65535, help="Port; 0 takes a free one."),
    ] = None,
    root_path: Annotated[
        str | None,
        typer.Option("--root-path", metavar="PATH", help="Path prefix behind a gateway."),
    ] = None,
    allow_remote_without_jwks: Annotated[
        bool,
        typer.Option(
            "--allow-remote-without-jwks",
            help="Listen beyond this machine with the local token.",
        ),
    ] = False,
) -> int:
    """Serve questions over HTTP: tickets and events for programs, a small page for people.

    Prints where it listens, and the page's address with its token. Logs are lines of JSON on
    stderr; no question is in them. Ends on SIGINT or SIGTERM, running asks first.
    """
    from kebab_server.serving import serve as run

    use.overrides.update(
        {
            "serve.host": host,
            "serve.port": port,
            "serve.root_path": root_path,
            "serve.allow_remote_without_jwks": allow_remote_without_jwks or None,
        }
    )
    configuration = use.configuration
    # The service ends its asks itself before it goes.
    use.watch.stop()
    if not use.output.quiet:
        _log_to_stderr(use)

    def ready(address: str, token: str | None) -> None:
        base = address + configuration.settings.serve.root_path.rstrip("/")
        use.output.line(f"Serving {configuration.workspace.name} on {base}")
        if token is not None:
            use.output.line("Page: ", f"{base}/#{token}")
            use.output.note(dim("Whoever has that address can read everything in the corpus."))

    caught = run(configuration, ready)
    return 0 if caught is None else 128 + caught


def _log_to_stderr(use: Invocation) -> None:
    handler = logging.StreamHandler(use.output.file(use.output.stderr))
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger = logging.getLogger("kebab.serve")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
