"""`kebab sources`: the folders and files that the corpus is made from."""

from __future__ import annotations

import json as json_text
from typing import Annotated

import typer

from kebab_cli.command import command, new_group
from kebab_cli.invocation import Invocation

app = new_group("The folders and files that the corpus is made from.")


@command(app, "list")
def list_sources(
    use: Invocation,
    json: Annotated[bool, typer.Option("--json", help="One object a line.")] = False,
) -> int:
    """List the sources that `kebab ingest` alone would read."""
    from kebab_cli.table import print_table

    output = use.output
    output.machine = json
    found = use.knowledge_base.sources()
    counts = use.knowledge_base.documents_by_source()
    if json:
        for source in found:
            output.result(
                json_text.dumps(
                    {
                        "source_id": source.source_id,
                        "path": str(source.path),
                        "made_by": source.made_by,
                        "readers": list(source.readers),
                        "documents": counts.get(source.source_id, 0),
                    },
                    ensure_ascii=False,
                )
            )
        return 0
    if not found:
        output.note("No source yet. Add one with `kebab ingest PATH`.")
        return 0
    rows = [
        (
            source.source_id,
            source.made_by,
            counts.get(source.source_id, 0),
            source.path or "(no folder)",
        )
        for source in found
    ]
    print_table(output, ("id", "made by", "documents", "path"), rows)
    return 0


@command(app, "remove")
def remove_source(
    use: Invocation,
    source_id: Annotated[
        str, typer.Argument(metavar="ID", help="As `kebab sources list` shows it.")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print how many documents went.")] = False,
) -> int:
    """Forget a source and its documents. Files on disk stay as they are."""
    output = use.output
    output.machine = json
    base = use.knowledge_base
    removed = base.remove_source(source_id)
    configured = {source.id for source in base.configuration.settings.sources}
    if json:
        output.result(json_text.dumps({"source_id": source_id, "documents_removed": removed}))
    else:
        plural = "" if removed == 1 else "s"
        output.note(f"Forgot source {source_id} and its {removed} document{plural}.")
        if source_id in configured:
            output.note("It is still in the settings: the next `kebab ingest` reads it again.")
    return 0
