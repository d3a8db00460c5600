"""Options that narrow a search, the same for every command that searches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

if TYPE_CHECKING:
    from kebab_core.api import Filters

SearchModeName: TypeAlias = Literal["lexical", "vector", "hybrid"]

Mode = Annotated[
    SearchModeName | None,
    typer.Option(
        "--mode",
        metavar="lexical|vector|hybrid",
        help="How to search: by words, by meaning, or both.",
    ),
]
Sources = Annotated[
    list[str] | None,
    typer.Option("--source", metavar="ID", help="Only this source; may be given again."),
]
Paths = Annotated[
    list[str] | None,
    typer.Option("--path", metavar="GLOB", help="Only documents whose path matches."),
]
Docs = Annotated[
    list[str] | None, typer.Option("--doc", metavar="ID", help="Only the document with this id.")
]
Media = Annotated[
    list[str] | None,
    typer.Option("--media", metavar="KIND", help="Only markdown, text, code, pdf…"),
]
Langs = Annotated[
    list[str] | None, typer.Option("--lang", metavar="CODE", help="Only this language: en, ko…")
]
Tags = Annotated[
    list[str] | None, typer.Option("--tag", metavar="TAG", help="Only documents with this tag.")
]

_DAY = {"formats": ["%Y-%m-%d"], "metavar": "YYYY-MM-DD"}
Since = Annotated[
    datetime | None,
    typer.Option("--since", help="Only files changed on this day or later.", **_DAY),
]
Until = Annotated[
    datetime | None,
    typer.Option("--until", help="Only files changed on this day or before.", **_DAY),
]


def filters(
    source: Sequence[str] | None,
    path: Sequence[str] | None,
    doc: Sequence[str] | None,
    media: Sequence[str] | None,
    lang: Sequence[str] | None,
    tag: Sequence[str] | None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Filters:
    from kebab_core import api

    return api.Filters(
        source_ids=tuple(source or ()),
        doc_ids=tuple(doc or ()),
        path_globs=tuple(path or ()),
        media=tuple(media or ()),
        langs=tuple(lang or ()),
        tags=tuple(tag or ()),
        changed_from=since.date() if since else None,
        changed_to=until.date() if until else None,
    )
