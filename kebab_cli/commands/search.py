"""`kebab search`: passages, best first, without a chat model."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from kebab_cli import filters as narrow
from kebab_cli import passages
from kebab_cli.command import command, new_app
from kebab_cli.invocation import Invocation
from kebab_cli.notices import say
from kebab_cli.output import dim, warn
from kebab_cli.question import question_text

app = new_app()


@command(app)
def search(
    use: Invocation,
    query: Annotated[
        list[str], typer.Argument(metavar="QUERY", help="What to look for; `-` reads stdin.")
    ],
    k: Annotated[
        int | None,
        typer.Option("-k", "--k", metavar="N", min=1, max=100, help="How many passages."),
    ] = None,
    mode: narrow.Mode = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how each passage was found.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one search_response.v1.")] = False,
    source: narrow.Sources = None,
    path: narrow.Paths = None,
    doc: narrow.Docs = None,
    media: narrow.Media = None,
    lang: narrow.Langs = None,
    tag: narrow.Tags = None,
    since: narrow.Since = None,
    until: narrow.Until = None,
) -> int:
    """Find passages in your documents, by meaning and by words.

    Exits 1 when nothing is found.
    """
    output = use.output
    output.machine = json
    text = question_text(query)
    base = use.knowledge_base
    standing = base.search_options()
    options = replace(
        standing,
        k=k or standing.k,
        mode=mode or standing.mode,
        explain=explain,
        filters=narrow.filters(source, path, doc, media, lang, tag, since, until),
    )
    response = base.search(text, options)
    if json:
        output.result(response.to_line())
        return 0 if response.hits else 1
    for warning in response.warnings:
        say(output, warn("kebab: "), warning)
    width = output.width if output.stdout.is_terminal else None
    for note in response.notes or ():
        output.line(dim(note))
    for hit in response.hits:
        output.line(*passages.heading(hit, hit.rank, width))
        if explain:
            output.line("    ", passages.how_found(hit))
        for line in passages.snippet_lines(hit.snippet, width):
            output.line(*line)
    if not response.hits:
        output.note(f'Nothing found for "{text}".')
    return 0 if response.hits else 1
