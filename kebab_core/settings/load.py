"""Settings brought together: flags > variables > project file > the person's file > defaults.

Merged key by key. pydantic checks, `tomllib` reads, and the layering between them is our own
rather than pydantic-settings', which can't do four things that are needed here: say where each
value came from, refuse a misspelt variable, judge the project file's keys before they count, and
name file and key in one error. It would also add 65 ms to every start.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kebab_core import paths
from kebab_core.errors import PermissionDenied
from kebab_core.paths import Workspace
from kebab_core.settings import catalogue, files, invalid, layers, local_workspace, trust
from kebab_core.settings.configuration import Configuration as Configuration
from kebab_core.settings.files import SettingsFile
from kebab_core.settings.layers import Layer
from kebab_core.settings.model import Settings
from kebab_core.settings.state import UserState

_AROUND_PROJECT = "Or leave the project's file out with `--config FILE`."


def load(
    *,
    config_file: Path | str | None = None,
    workspace: str | None = None,
    data_dir: Path | str | None = None,
    overrides: Mapping[str, Any] | None = None,
    cwd: Path | str | None = None,
    env: Mapping[str, str] | None = None,
) -> Configuration:
    """Read all that is set, and find the workspace.

    `overrides` maps dotted keys to values; None values count as not given. `config_file` stands
    in for both files. `cwd` and `env` are the process's own unless given; the platform's folders
    (`kebab_core.paths`) always are. Raises ConfigInvalid, and PermissionDenied for a file of the
    person's that can't be read.
    """
    env = os.environ if env is None else env
    here = Path(cwd).absolute() if cwd is not None else files.current_folder()
    base = here or Path(os.sep)
    state = UserState.open()
    found = _read_files(config_file, here, base, state)
    flags = {**(overrides or {})}
    if workspace is not None:
        flags["workspace.name"] = workspace
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for layer in (
        *found.layers,
        layers.from_environment(env, base),
        layers.from_flags(flags, base),
    ):
        values.update(layer.values)
        origins.update(layer.origins)
    settings = Settings.model_validate(catalogue.nested(values))
    place = _find_workspace(
        _given_directory(data_dir, env, base),
        settings.workspace.name,
        origins.get("workspace.name", "default"),
        here,
        state,
    )
    return Configuration(
        settings=settings,
        workspace=place.workspace,
        state=state,
        files=found.paths,
        origins={**origins, "workspace.directory": place.origin},
        ignored=found.ignored,
        warnings=(*found.warnings, *place.warnings, *state.warnings),
        project_file=found.project.path if found.project else None,
        project_digest=found.project.digest if found.project else None,
        foreign_workspaces=place.foreign,
    )


# --- files -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Files:
    layers: tuple[Layer, ...] = ()
    paths: tuple[Path, ...] = ()
    ignored: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    project: SettingsFile | None = None


def _read_files(
    config_file: Path | str | None, here: Path | None, base: Path, state: UserState
) -> _Files:
    if config_file is not None:
        chosen = Path(layers.absolute(_plain(config_file, "--config"), base))
        layer = layers.from_file(files.read(chosen), "--config")
        return _Files((layer,), (chosen,))
    own = paths.config_dir() / paths.SETTINGS_FILE
    warnings: tuple[str, ...] = ()
    try:
        own_file = files.read_if_there(own)
    except PermissionDenied as failure:
        if os.path.lexists(own):
            raise
        # A home that may not even be looked into: there may be no file at all.
        own_file, warnings = None, (f"{failure.message} It is left out.",)
    own_layers = (layers.from_file(own_file, "user file"),) if own_file else ()
    read = (own,) if own_file else ()
    project = files.find_project_file(here, own=own) if here else None
    if project is None:
        return _Files(own_layers, read, warnings=warnings)
    try:
        file = files.read(project, hint=_AROUND_PROJECT)
    except PermissionDenied as failure:
        # Someone else's file in a folder above must not keep a person from working.
        warnings = (*warnings, f"{failure.message} It is left out.")
        return _Files(own_layers, read, warnings=warnings)
    layer = layers.from_file(file, "project file", hint=_AROUND_PROJECT)
    if state.trusted(project, file.digest):
        return _Files((*own_layers, layer), (*read, project), warnings=warnings, project=file)
    part = trust.permitted(layer, project.parent, own_sources=_source_paths(own_layers))
    return _Files(
        (*own_layers, part.layer),
        (*read, project),
        part.ignored,
        (*warnings, *([trust.warning(project, part.ignored)] if part.ignored else [])),
        file,
    )


def _source_paths(own: Sequence[Layer]) -> dict[str, str]:
    return {one["id"]: one["path"] for layer in own for one in layer.values.get("sources", ())}


# --- the workspace -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    workspace: Workspace
    origin: str
    warnings: tuple[str, ...] = ()
    foreign: tuple[Path, ...] = ()


def _given_directory(
    data_dir: Path | str | None, env: Mapping[str, str], base: Path
) -> tuple[Path, str] | None:
    """--data-dir, else KEBAB_DATA_DIR, with what it was said by."""
    said_by, given = "--data-dir", data_dir
    if given is None:
        said_by = catalogue.DATA_DIR_VARIABLE
        given = env.get(said_by) or None
    if given is None:
        return None
    return Path(layers.absolute(_plain(given, said_by), base)), said_by


def _find_workspace(
    given: tuple[Path, str] | None, name: str, named_by: str, here: Path | None, state: UserState
) -> _Place:
    """A directory that was given, else a name given for this run, else one's own `.kebab/`
    upward from `here`, else the name that the settings say."""
    for_this_run = named_by in ("--workspace", "KEBAB_WORKSPACE")
    if given is not None:
        directory, said_by = given
        workspace = Workspace(directory.name or "root", directory)
        said = f"{said_by} names the workspace's directory, so {named_by} {name!r} isn't used."
        return _Place(workspace, said_by, (said,) if for_this_run else ())
    if for_this_run:
        return _Place(paths.named_workspace(name), named_by)
    local = local_workspace.find(here, state)
    warnings = tuple(trust.foreign_warning(directory) for directory in local.foreign)
    if local.workspace is not None:
        return _Place(local.workspace, local_workspace.FOLDER, warnings, local.foreign)
    return _Place(paths.named_workspace(name), named_by, warnings, local.foreign)


def _plain(path: Path | str, flag: str) -> str:
    text = str(path)
    if not text or "\0" in text:
        problem = invalid.Problem(f"{flag} names no path.", flag, "Give it the path of a folder.")
        raise invalid.refuse("The command line", [problem])
    return text


__all__ = ["Configuration", "load"]
