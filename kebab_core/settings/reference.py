"""`docs/settings.md`: every setting, made from the model so that it can't fall behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kebab_core.settings import catalogue, invalid, keys
from kebab_core.settings.model import SourceSection
from kebab_core.settings.template import toml

_HEAD = """\
# Settings

<!-- Generated: edit the docstrings of kebab_core/settings/model.py, then run `make docs`. -->

Nothing needs to be set. `kebab init` writes a `kebab.toml` in which every key is explained and
commented out; `kebab config show` prints what is in force and where each value comes from;
`kebab config path` says which files are read.

## Where a value comes from

Merged key by key; the first that says something wins:

1. a flag (`--model`, `--workspace`, …);
2. a short variable (the table below);
3. `KEBAB_<SECTION>__<KEY>`: `KEBAB_ASK__K=12`, `KEBAB_SERVE__JWT__ISSUER=…`. Hyphens become
   underscores, lists and tables are JSON: `KEBAB_WEB__ALLOW_HOSTS='["wiki.lan"]'`;
4. `kebab.toml` in the current folder or the nearest one above it, as far as it is trusted;
5. your own `kebab.toml` (on Linux `~/.config/kebab/kebab.toml`; `XDG_CONFIG_HOME` is honoured);
6. the default.

`--config FILE` stands in for both files. A key or a `KEBAB_` variable that doesn't exist is an
error that names the nearest one that does; so is a value of the wrong type.
"""

_WORKSPACE = """\
## Which workspace

A workspace is one directory: the corpus and its conversations. It is the first of

1. `--data-dir DIR` or `KEBAB_DATA_DIR`: that very directory;
2. `--workspace NAME` or `KEBAB_WORKSPACE`, under the platform's data directory (on Linux
   `~/.local/share/kebab`; `XDG_DATA_HOME` is honoured);
3. your own `.kebab/` in the current folder or above it; `kebab init --here` makes one;
4. `[workspace] name`.
"""

_TRUST = """\
## A file found in a project is not trusted

Whoever writes a project's `kebab.toml` shouldn't decide where your questions go. Until you have run
`kebab config trust` on that very content, it may set what is indexed, inside its own folder (links
followed), and how things look. Ignored until then, with one line that says so: `models`,
`providers`, `web`, `serve`, `sessions`, `store.uri`, `embedding.base_url`, `embedding.model` unless
it is `"default"`, `embedding.runtime = "http"`, `search.rerank`, and sources that lie outside or
bear the id of one of yours. A change to the file ends the trust. Your own file, `--config`, and a
file that `kebab init` has just written are trusted.

A `.kebab/` that came with a project is not used until you trust it either: an index can hold
anything.
"""

_KEYS = """\
## Which key goes where

API keys come from the environment only, and are never shown. A key belongs to its provider's own
host. It goes to another `base_url` only if your settings name a variable for it in `api_key_env`.
`openai-compatible` takes `ASK_API_KEY`, else what `api_key_env` names. No key travels over plain
http, except to `localhost` and to loopback and private addresses written as numbers, or where
`allow_plain_http` is true.
"""


def settings_markdown() -> str:
    """The whole page."""
    parts = [
        _HEAD,
        _table(("variable", "sets"), _short_variables()),
        _WORKSPACE,
        _TRUST,
        _KEYS,
        _table(("provider", "own address", "its key"), _providers()),
        "## Every setting\n",
    ]
    for section in catalogue.known_sections():
        if section and (part := _section(section)):
            parts.append(part)
        if section == "workspace":
            parts.append(_sources())
    return "\n".join(parts)


def _section(section: str) -> str:
    rows = [
        (f"`{key.short_name}`", f"`{toml(key.default)}`", invalid.allowed(key.name), key.meaning)
        for key in catalogue.known_keys().values()
        if key.section == section
    ]
    if not rows:
        return ""
    head = f"### `[{section}]`\n\n{catalogue.meaning_of(section)}\n\n"
    return head + _table(("key", "default", "takes", "meaning"), rows)


def _sources() -> str:
    meanings = catalogue.meanings(SourceSection)
    rows = [
        (
            f"`{field}`",
            "" if info.is_required() else f"`{toml(info.default)}`",
            invalid.allowed_in_source(field),
            meanings[field],
        )
        for field, info in SourceSection.model_fields.items()
    ]
    head = f"### `[[sources]]`\n\n{catalogue.known_keys()['sources'].meaning}\n\n"
    return head + _table(("key", "default", "takes", "meaning"), rows)


def _short_variables() -> Iterator[Sequence[str]]:
    for variable, name in catalogue.SHORT_VARIABLES.items():
        yield f"`{variable}`", f"`{name}`"
    yield f"`{catalogue.DATA_DIR_VARIABLE}`", "the workspace's directory"
    yield f"`{catalogue.TOKEN_VARIABLE}`", "the bearer for `kebab ask --remote`"


def _providers() -> Iterator[Sequence[str]]:
    for name, own in keys.PROVIDERS.items():
        variable = f"`{own.variable or keys.ANY_SERVER_VARIABLE}`"
        where = f", for {own.host}" if own.host and own.host not in own.base_url else ""
        yield f"`{name}`", f"`{own.base_url}`" if own.base_url else "none", variable + where


def _table(head: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> str:
    lines = [_row(head), _row(["---"] * len(head)), *(_row(row) for row in rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    escaped = [cell.replace("|", r"\|") for cell in cells]
    return f"| {' | '.join(escaped)} |"
