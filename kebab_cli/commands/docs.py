"""`kebab docs`: the documents of the corpus."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from kebab_cli.command import command, new_group
from kebab_cli.invocation import Invocation
from kebab_cli.output import bad, dim, strong
from kebab_cli.passages import one_line

app = new_group("The documents of the corpus.")

Name = Annotated[
    str, typer.Argument(metavar="DOC", help="Its path, as `kebab docs list` shows it, or its id.")
]


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


@command(app, "show")
def show_doc(
    use: Invocation,
    name: Name,
    lines: Annotated[
        str | None,
        typer.Option("--lines", metavar="A-B", help="Only these lines of it, numbered."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one doc_summary.v1.")] = False,
) -> int:
    """Show a document: what is known of it, then its text as it is stored.

    Exits 1 when it has no such lines.
    """
    from kebab_cli.documents import line_range, numbered
    from kebab_cli.table import moment

    output = use.output
    output.machine = json
    base = use.knowledge_base
    wanted = None if lines is None else line_range(lines)
    found = base.find_document(name)
    if wanted is not None and not json:
        shown = list(numbered(base.document(found.doc_id).text, *wanted))
        for line in shown:
            output.line(*line)
        if not shown:
            output.note(f"{one_line(found.doc_path)} has no line {wanted[0]}.")
        return 0 if shown else 1
    (summary,) = base.documents(doc_ids=[found.doc_id])
    if json:
        output.result(summary.to_line())
        return 0
    output.line(strong(one_line(summary.title)))
    state = "stale" if summary.stale else "current"
    output.line(
        dim(
            f"{summary.source_id}:{one_line(summary.doc_path)} · {summary.media} · "
            f"{summary.chunk_count} passages · {summary.byte_len:,} bytes · "
            f"indexed {moment(summary.indexed_at)} · {state} · {summary.doc_id}"
        )
    )
    if summary.error:
        output.line(bad("unreadable: "), one_line(summary.error))
        return 0
    output.line()
    output.prose(base.document(found.doc_id).text)
    output.line()
    return 0


@command(app, "remove")
def remove_docs(
    use: Invocation,
    names: Annotated[
        list[str],
        typer.Argument(metavar="DOC", help="Paths as `kebab docs list` shows them, or ids."),
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the ids of what went.")] = False,
) -> int:
    """Remove documents from the corpus. Files on disk stay as they are, and a document whose
    file is still there returns with the next ingest."""
    from kebab_cli.confirm import confirm

    output = use.output
    output.machine = json
    base = use.knowledge_base
    # All or none: a mistyped name removes nothing.
    found = {item.doc_id: item for item in map(base.find_document, names)}.values()
    what = found_names = ", ".join(one_line(item.doc_path) for item in found)
    if len(found) > 3:
        what = f"{len(found)} documents"
    if not yes and not confirm(output, f"Remove {what} from the corpus?"):
        output.note("Nothing was removed.")
        return 1
    base.remove_documents([item.doc_id for item in found])
    if json:
        output.result(json_text.dumps({"removed": [item.doc_id for item in found]}))
        return 0
    output.note(f"Removed {found_names}.")
    if back := [item for item in found if item.file_path and Path(item.file_path).exists()]:
        it = "Its file is" if len(back) == 1 else f"The files of {len(back)} are"
        output.note(
            f"{it} still on disk and will be read again by the next `kebab ingest`; to keep "
            "something out, name it in a .kebabignore file or in `exclude` of its source."
        )
    return 0
