"""`kebab docs`: the documents of the corpus."""

from __future__ import annotations

from typing import Annotated

import typer

from kebab_cli.command import command, new_group
from kebab_cli.invocation import Invocation

app = new_group("The documents of the corpus.")


@command(app, "list")
def list_docs(
    use: Invocation,
    source: Annotated[
        list[str] | None, typer.Option("--source", metavar="ID", help="Only this source.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One doc_summary.v1 a line.")] = False,
) -> int:
    """List documents by source and path."""
    from kebab_cli.table import moment, print_table

    output = use.output
    output.machine = json
    found = use.knowledge_base.documents(source_ids=source or ())
    if json:
        for document in found:
            output.result(document.to_line())
        return 0
    if not found:
        output.note("No document yet. Add some with `kebab ingest PATH`.")
        return 0
    rows = [
        (
            item.source_id,
            item.doc_path,
            item.media,
            item.chunk_count,
            "unreadable" if item.error else "stale" if item.stale else moment(item.indexed_at),
            item.title,
        )
        for item in found
    ]
    print_table(output, ("source", "path", "kind", "passages", "indexed", "title"), rows)
    return 0
