"""`kebab why`: at which step a document falls out of what a question is answered from."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from kebab_cli import filters as narrow
from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation
from kebab_cli.output import bad, mark, strong

app = new_app()


@command(app)
def why(
    use: Invocation,
    document: Annotated[
        str, typer.Argument(metavar="PATH", help="The document's path, or the end of it.")
    ],
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="As it would be asked.")],
    k: Annotated[
        int | None,
        typer.Option("-k", "--k", metavar="N", min=1, max=50, help="How many passages are taken."),
    ] = None,
    mode: narrow.Mode = None,
    json: Annotated[bool, typer.Option("--json", help="Print one why_report.v1.")] = False,
    source: narrow.Sources = None,
    path: narrow.Paths = None,
    doc: narrow.Docs = None,
    media: narrow.Media = None,
    lang: narrow.Langs = None,
    tag: narrow.Tags = None,
    since: narrow.Since = None,
    until: narrow.Until = None,
) -> int:
    """Show why a document is, or isn't, among what a question is answered from.

    Follows it from the corpus through filters, both searches, the ranking, the bar and the
    choice of passages. Exits 1 where it falls out.
    """
    from kebab_core import api

    output = use.output
    output.machine = json
    base = use.knowledge_base
    settings = base.configuration.settings
    options = replace(
        api.SearchOptions(k=settings.ask.k, mode=settings.search.mode),
        filters=narrow.filters(source, path, doc, media, lang, tag, since, until),
    )
    options = replace(options, k=k or options.k, mode=mode or options.mode)
    report = base.why(document, question, options)
    is_given = all(step.ok for step in report.steps)
    if json:
        output.result(report.to_line())
        return 0 if is_given else 1
    for name in report.documents:
        output.line(mark(name))
    for step in report.steps:
        sign = mark("✓ ") if step.ok else bad("✗ ")
        output.line(sign, strong(f"{step.name:<9}"), step.detail)
    output.line(report.verdict)
    return 0 if is_given else 1
