"""One place where settings come from, checked by itself: a file, the environment, the flags.

Checking each layer alone is what lets every error name its file or variable, also where a
stronger layer would have hidden the mistake. Files are taken strictly (TOML has types), text
from variables is converted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kebab_core.settings import catalogue, invalid
from kebab_core.settings.files import SettingsFile
from kebab_core.settings.invalid import Problem
from kebab_core.settings.model import Settings
from kebab_core.settings.ollama_host import ollama_address

ENVIRONMENT = "The environment"
COMMAND_LINE = "The command line"


@dataclass(frozen=True, slots=True)
class Layer:
    """Dotted key → value, and dotted key → the words for where it comes from."""

    values: Mapping[str, Any]
    origins: Mapping[str, str]


def from_file(file: SettingsFile, origin: str, *, hint: str | None = None) -> Layer:
    """A file's values; the paths of its sources made absolute. Raises ConfigInvalid."""
    problems: list[Problem] = []
    values = dict(_flat(file.table, "", problems))
    place = str(file.path)
    if problems:
        raise invalid.refuse(place, problems, hint=hint)
    _check(values, place, strict=True, hint=hint)
    _absolute_sources(values, file.path.parent)
    return Layer(values, dict.fromkeys(values, origin))


def from_environment(env: Mapping[str, str], here: Path) -> Layer:
    """What the KEBAB_ variables and OLLAMA_HOST say, the short ones over the long ones.

    Raises ConfigInvalid for an unknown variable, and for a value that its key doesn't take.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    problems: list[Problem] = []
    for variable in sorted(env):
        if _is_long(variable):
            name = catalogue.variables().get(variable.upper())
            if name is None:
                problems.append(invalid.unknown_variable(variable))
                continue
            # Sections sort before their keys, so the more exact variable wins.
            for key, value in _from_text(variable, name, env[variable], problems):
                values[key], origins[key] = value, variable
    for variable, key in catalogue.SHORT_VARIABLES.items():
        if text := env.get(variable, "").strip():
            values[key] = ollama_address(text) if variable == "OLLAMA_HOST" else text
            origins[key] = variable
    if problems:
        raise invalid.refuse(ENVIRONMENT, problems)
    for variable in dict.fromkeys(origins.values()):
        own = {key: value for key, value in values.items() if origins[key] == variable}
        _check(own, f"The variable {variable}", strict=False)
    _absolute_sources(values, here)
    return Layer(values, origins)


def from_flags(overrides: Mapping[str, Any], here: Path) -> Layer:
    """What the command line says; None means that a flag wasn't given. Raises ConfigInvalid."""
    values = {name: value for name, value in overrides.items() if value is not None}
    if unknown := sorted(values.keys() - catalogue.known_keys().keys()):
        raise invalid.refuse(COMMAND_LINE, [invalid.unknown(name) for name in unknown])
    _check(values, COMMAND_LINE, strict=False)
    _absolute_sources(values, here)
    return Layer(values, {name: _FLAGS.get(name, "flag") for name in values})


def absolute(path: str, folder: Path) -> str:
    """`path` from the absolute `folder` on, `~` expanded. Links are followed only past a `..`."""
    whole = folder / os.path.expanduser(path)  # noqa: PTH111 - leaves `~nobody` as it is
    return os.path.realpath(whole) if ".." in whole.parts else str(whole)


_FLAGS = {"models.ask.model": "--model", "workspace.name": "--workspace"}


def _flat(
    table: Mapping[str, Any], prefix: str, problems: list[Problem]
) -> Iterator[tuple[str, Any]]:
    """Pairs of a dotted key and its value; what isn't known becomes a problem."""
    known, sections = catalogue.known_keys(), catalogue.known_sections()
    for part, value in table.items():
        name = f"{prefix}.{part}" if prefix else part
        if "." in part:
            problems.append(invalid.unknown(name))
        elif name in known:
            yield name, value
        elif name not in sections:
            problems.append(invalid.unknown(name))
        elif isinstance(value, dict):
            yield from _flat(value, name, problems)
        else:
            problems.append(invalid.not_a_table(name, value))


def _check(values: Mapping[str, Any], place: str, *, strict: bool, hint: str | None = None) -> None:
    try:
        Settings.model_validate(catalogue.nested(values), strict=strict)
    except ValidationError as error:
        raise invalid.refuse(place, invalid.from_validation(error), hint=hint) from None


def _is_long(variable: str) -> bool:
    others = (catalogue.DATA_DIR_VARIABLE, catalogue.TOKEN_VARIABLE)
    special = variable in catalogue.SHORT_VARIABLES or variable in others
    return variable.startswith(catalogue.PREFIX) and not special


def _from_text(
    variable: str, name: str, text: str, problems: list[Problem]
) -> Iterator[tuple[str, Any]]:
    """The keys that a variable sets: one, or those of a section written as a JSON object."""
    key = catalogue.known_keys().get(name)
    default = key.default if key else {}
    if not isinstance(default, list | dict):
        yield name, text
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if type(value) is not type(default):
        example = '["a", "b"]' if isinstance(default, list) else '{"a": "b"}'
        words = f"{variable} takes JSON, such as {example}."
        problems.append(Problem(words, name, f"Mend {variable}, or unset it."))
    elif key is None and isinstance(value, dict):
        yield from _flat(value, name, problems)
    else:
        yield name, value


def _absolute_sources(values: dict[str, Any], folder: Path) -> None:
    """Replace the sources' paths, so that no later part needs to know which file they're from."""
    if "sources" in values:
        values["sources"] = [
            {**source, "path": absolute(source["path"], folder)} for source in values["sources"]
        ]
