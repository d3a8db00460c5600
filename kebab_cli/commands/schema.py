"""`kebab schema`: the contract that programs rely on, as JSON Schema."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kebab_cli.command import command, new_group
from kebab_cli.invocation import Invocation

app = new_group("The JSON that kebab writes, as JSON Schema.")


@command(app, "show")
def show_schema(
    use: Invocation,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A type, such as `answer`; none: list all.")
    ] = None,
) -> int:
    """Print the JSON Schema of one type, or the names of all."""
    from kebab_core import api

    output = use.output
    if name is None:
        for known in api.WIRE_TYPES:
            output.line(known)
        return 0
    wanted = name.removesuffix(".v1")
    if wanted not in api.WIRE_TYPES:
        raise api.NotFound(
            f"There is no wire type {name!r}.", "List them with `kebab schema show`."
        )
    output.result(api.json_schema_text(wanted).rstrip("\n"))
    return 0


@command(app, "export")
def export_schemas(
    use: Invocation,
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="Made if it isn't there.")],
) -> int:
    """Write every schema to DIR, one file a type."""
    from kebab_core import api

    directory.mkdir(parents=True, exist_ok=True)
    for name in api.WIRE_TYPES:
        target = directory / f"{name}.schema.json"
        target.write_text(api.json_schema_text(name), encoding="utf-8")
    use.output.note(f"Wrote {len(api.WIRE_TYPES)} schemas to {directory}.")
    return 0
