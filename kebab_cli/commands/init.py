"""`kebab init`: write a settings file, or make a corpus that lives in this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation
from kebab_cli.output import mark

app = new_app()


@command(app)
def init(
    use: Invocation,
    here: Annotated[
        bool,
        typer.Option("--here", help="In this folder: a kebab.toml and a corpus of its own."),
    ] = False,
) -> int:
    """Write a commented kebab.toml, yours or with --here this folder's. Nothing is overwritten."""
    from kebab_core import api

    output = use.output
    state = use.configuration.state
    folder = Path.cwd() if here else api.config_dir()
    if here:
        workspace = api.make_local_workspace(folder, state)
        output.line("Corpus in ", mark(str(workspace.directory)))
    target = folder / api.SETTINGS_FILE
    if here and target.exists():
        output.note(f"{target} is there already, and was left as it is.")
    else:
        written = api.write_settings_template(target, state)
        output.line("Settings in ", mark(str(written)))
    for warning in state.warnings:
        output.note(warning)
    output.note("Next: `kebab ingest PATH`.")
    return 0
