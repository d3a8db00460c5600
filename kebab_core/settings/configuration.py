"""The settings in force, and how they came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kebab_core.paths import Workspace
from kebab_core.settings.model import Settings
from kebab_core.settings.state import UserState


@dataclass(frozen=True, slots=True)
class Configuration:
    """What every part is opened with. Holds no key, token or password.

    `origins` names where a dotted key comes from (`user file`, `project file`, `--config`, a
    variable, a flag); a key that isn't in it has its default. `ignored` are keys of an untrusted
    project file, `warnings` lines to say once. `project_digest` is the hash of the project file
    as it was read; `foreign_workspaces` are the `.kebab/` folders passed over.
    """

    settings: Settings
    workspace: Workspace
    state: UserState
    files: tuple[Path, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    project_file: Path | None = None
    project_digest: str | None = None
    foreign_workspaces: tuple[Path, ...] = ()
