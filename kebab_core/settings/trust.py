"""What a project's `kebab.toml` may say before a person has trusted it.

It may set what is indexed, inside its own folder, and how things look. It may not say where
questions, passages or keys go, nor which model files are loaded (a model file can hold a
program), nor what is deleted. The rules name what is allowed, so a new key is refused until
someone decides.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kebab_core.errors import ConfigInvalid
from kebab_core.settings import local_workspace
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.files import digest_of
from kebab_core.settings.layers import Layer
from kebab_core.text.clean import for_display

_HARMLESS_SECTIONS = ("workspace.", "ingest.", "search.", "ask.", "tui.")

_HARMLESS_VALUES: Mapping[str, Callable[[Any], bool]] = {
    "embedding.model": lambda value: value == "default",
    "embedding.runtime": lambda value: value != "http",
    "search.rerank": lambda value: value == "",
}


@dataclass(frozen=True, slots=True)
class Permitted:
    """The part of a project file that may be used, and the names of the rest."""

    layer: Layer
    ignored: tuple[str, ...]


def permitted(layer: Layer, folder: Path, *, own_sources: Mapping[str, str]) -> Permitted:
    """Take from an untrusted file in `folder` what it may set.

    `own_sources` (id → path) are the person's: a project can't put its folder in the place of
    one of theirs.
    """
    values: dict[str, Any] = {}
    ignored: list[str] = []
    for key, value in layer.values.items():
        if key == "sources":
            kept = [one for one in value if _may_be_source(one, folder, own_sources)]
            ignored += [f"sources.{one['id']}" for one in value if one not in kept]
            if kept:
                values[key] = kept
        elif _may_be_set(key, value):
            values[key] = value
        else:
            ignored.append(key)
    return Permitted(Layer(values, {key: layer.origins[key] for key in values}), tuple(ignored))


def is_inside(path: str, folder: Path) -> bool:
    """Whether `path`, every link followed, is `folder` or below it."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def warning(file: Path, ignored: tuple[str, ...]) -> str:
    """The one line that is said about an untrusted file."""
    return for_display(
        f"{file} isn't trusted, so these of its keys are ignored: {', '.join(ignored)}. "
        "Read it, then run `kebab config trust`."
    )


def foreign_warning(directory: Path) -> str:
    """The line about a `.kebab/` that isn't one's own."""
    return for_display(
        f"{directory} wasn't made by you on this machine, so it isn't used. "
        "If you trust what it holds, run `kebab config trust`."
    )


def trust(configuration: Configuration) -> tuple[Path, ...]:
    """Trust the project file as it was read, and the `.kebab/` that came with it.

    Returns what is trusted now and wasn't before. A foreign `.kebab/` above the project stays
    foreign while there is something to trust in the project itself: a person who means their
    project shouldn't trust what lies in a folder around it. Raises ConfigInvalid when the file
    has changed since it was read, and IOFailed when trust can't be remembered.
    """
    state, file = configuration.state, configuration.project_file
    done: list[Path] = []
    if file is not None and configuration.project_digest is not None:
        digest = configuration.project_digest
        _unchanged(file, digest)
        if not state.trusted(file, digest):
            if not state.trust(file, digest):
                raise local_workspace.not_remembered(for_display(str(file)), state)
            done.append(file)
    for directory in configuration.foreign_workspaces[:1]:
        if not done or directory.is_relative_to(done[0].parent):
            local_workspace.adopt(directory, state)
            done.append(directory)
    return tuple(done)


def _unchanged(file: Path, digest: str) -> None:
    try:
        now = digest_of(file.read_bytes())
    except OSError:
        now = ""
    if now != digest:
        raise ConfigInvalid(
            f"{for_display(str(file))} has changed while kebab was running; it isn't trusted.",
            "Read it again, then run `kebab config trust` again.",
        )


def _may_be_set(key: str, value: Any) -> bool:
    if judge := _HARMLESS_VALUES.get(key):
        return judge(value)
    return key.startswith(_HARMLESS_SECTIONS)


def _may_be_source(source: Mapping[str, Any], folder: Path, own_sources: Mapping[str, str]) -> bool:
    path = source["path"]
    taken = own_sources.get(source["id"], path) != path
    return is_inside(path, folder) and not taken
