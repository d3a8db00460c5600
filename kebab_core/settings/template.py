"""The file that `kebab init` writes: every key with its meaning, every value commented out.

A default that is commented out stays live: a later kebab with a better one still uses it.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kebab_core.errors import InvalidInput, IOFailed
from kebab_core.settings import catalogue
from kebab_core.settings.files import digest_of
from kebab_core.settings.model import SourceSection
from kebab_core.settings.state import UserState
from kebab_core.text.clean import for_display

_WIDTH = 88

_HEAD = """\
Settings of kebab. Every value below is the default, and commented out: take away the `#` before \
a key to change it.

Stronger than this file: a flag, then a variable. Every key has one, KEBAB_<SECTION>__<KEY>, such \
as KEBAB_ASK__K=12; short ones stand beside their keys.

API keys don't belong here: they come from the environment only."""

_SOURCE_EXAMPLE: Mapping[str, Any] = {"id": "notes", "path": "~/notes"}


def template() -> str:
    """The text of a commented `kebab.toml`; read as it is, it sets nothing."""
    parts = ["\n".join(_comment(_HEAD))]
    for section in catalogue.known_sections():
        keys = [key for key in catalogue.known_keys().values() if key.section == section]
        if not section:
            continue
        parts.append("\n".join(_section(section, keys)))
        if section == "workspace":
            parts.append("\n".join(_sources()))
    return "\n\n".join(parts) + "\n"


def write_template(path: Path, state: UserState) -> Path:
    """Write the template to `path` and trust it as it is now. Returns the absolute path.

    Where trust can't be remembered, `state.warnings` says so. Raises InvalidInput where a file is
    there already (it is left alone), and IOFailed.
    """
    file = path.absolute()
    shown = for_display(str(file))
    data = template().encode()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(shown, error) from None
    try:
        with file.open("xb") as out:
            out.write(data)
    except FileExistsError:
        raise InvalidInput(
            f"{shown} is there already, and was left as it is.",
            "Edit it, or move it away and run `kebab init` again.",
        ) from None
    except OSError as error:
        raise _cannot_write(shown, error) from None
    state.trust(file, digest_of(data))
    return file


def toml(value: Any) -> str:
    """A value as TOML writes it. Takes what settings are made of."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:_}" if abs(value) >= 10_000 else str(value)
    if isinstance(value, list):
        return f"[{', '.join(toml(one) for one in value)}]"
    if isinstance(value, dict):
        pairs = ", ".join(f"{toml(key)} = {toml(one)}" for key, one in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    # A basic string escapes as JSON does, DEL besides.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")


def _cannot_write(shown: str, error: OSError) -> IOFailed:
    return IOFailed(
        f"{shown} can't be written: {error.strerror}.", "Choose a folder that you may write to."
    )


def _section(section: str, keys: list[catalogue.Key]) -> Iterator[str]:
    yield from _comment(catalogue.meaning_of(section))
    if keys:
        yield f"[{section}]"
    for key in keys:
        short = f" ({key.short_variable})" if key.short_variable else ""
        yield from _comment(f"{key.meaning}{short}")
        yield f"#{key.short_name} = {toml(key.default)}"


def _sources() -> Iterator[str]:
    yield from _comment(catalogue.known_keys()["sources"].meaning)
    yield "#[[sources]]"
    meanings = catalogue.meanings(SourceSection)
    for field, info in SourceSection.model_fields.items():
        yield from _comment(meanings[field])
        value = _SOURCE_EXAMPLE.get(field, info.default)
        yield f"#{field} = {toml(value)}"


def _comment(text: str) -> Iterator[str]:
    for paragraph in text.splitlines():
        lines = textwrap.wrap(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)
        yield from (f"# {line}".rstrip() for line in lines or [""])
