"""`kebab config`: the settings in force, where they come from, and whom to trust."""

from __future__ import annotations

import json as json_text
from typing import Annotated, Any

import typer

from kebab_cli.command import command, new_group
from kebab_cli.invocation import Invocation
from kebab_cli.output import dim, mark, warn

app = new_group("The settings in force, where they come from, and whom to trust.")


@command(app, "show")
def show_config(
    use: Invocation,
    changed: Annotated[
        bool, typer.Option("--changed", help="Leave out what has its default.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one settings.v1.")] = False,
) -> int:
    """Show every setting with where it comes from. Keys and passwords never show."""
    from kebab_core import api

    output = use.output
    output.machine = json
    report = api.settings_report(use.configuration)
    if json:
        output.result(report.to_line())
        return 0
    for file in report.files:
        output.line(dim("# from "), file)
    for key in report.ignored:
        output.line(warn("# ignored, because the project's file isn't trusted: "), key)
    for item in report.values:
        if not changed or item.source != "default":
            output.line(mark(item.key), " = ", _shown(item.value), dim(f"  # {item.source}"))
    return 0


@command(app, "path")
def config_path(
    use: Invocation,
    json: Annotated[bool, typer.Option("--json", help="Print one object.")] = False,
) -> int:
    """Print the path of your own settings file, and of the others in use."""
    from kebab_core import api

    output = use.output
    output.machine = json
    own = api.config_dir() / api.SETTINGS_FILE
    in_use = [str(path) for path in use.configuration.files]
    if json:
        found = {"own": str(own), "exists": own.exists(), "in_use": in_use}
        output.result(json_text.dumps(found, ensure_ascii=False))
        return 0
    output.line(str(own))
    if not own.exists():
        output.note("It isn't there yet: `kebab init` writes it.")
    for path in in_use:
        if path != str(own):
            output.line(path)
    return 0


@command(app, "trust")
def trust_config(
    use: Invocation,
    json: Annotated[bool, typer.Option("--json", help="Print what is trusted now.")] = False,
) -> int:
    """Trust this project's kebab.toml as it is now, and the .kebab/ that came with it.

    Read them first: they may say where your questions, passages and keys go.
    """
    from kebab_core import api

    output = use.output
    output.machine = json
    done = [str(path) for path in api.trust_settings(use.configuration)]
    if json:
        output.result(json_text.dumps({"trusted": done}, ensure_ascii=False))
        return 0
    for path in done:
        output.line("Trusted ", mark(path))
    if not done:
        output.note("There is nothing here to trust that isn't trusted already.")
    return 0


def _shown(value: Any) -> str:
    return json_text.dumps(value, ensure_ascii=False)
