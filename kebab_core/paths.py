"""Where kebab keeps things: the platform's own folders, and the files of one workspace.

On Linux `XDG_DATA_HOME`, `XDG_CONFIG_HOME`, `XDG_STATE_HOME` and `XDG_CACHE_HOME` are honoured.
Nothing is created here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

SETTINGS_FILE = "kebab.toml"
"""The settings file's name, in the person's own folder and in a project."""

# Who has no home at all (a container's arbitrary user) is as one whose home doesn't exist.
_NO_HOME = Path(os.sep, "nonexistent", "kebab")


@dataclass(frozen=True, slots=True)
class Workspace:
    """One corpus with its conversations: a directory, which may not exist yet."""

    name: str
    directory: Path

    @property
    def store_dir(self) -> Path:
        """The LanceDB tables, unless `[store].uri` puts them elsewhere."""
        return self.directory / "store"

    @property
    def sessions_db(self) -> Path:
        """SQLite: sessions, turns, spend."""
        return self.directory / "sessions.sqlite3"

    @property
    def lock_file(self) -> Path:
        """Held by the one process that writes the store."""
        return self.directory / "writer.lock"


def data_dir() -> Path:
    """Where workspaces are: `~/.local/share/kebab` on Linux."""
    return _folder("user_data_path")


def config_dir() -> Path:
    """Where the person's own `kebab.toml` is: `~/.config/kebab` on Linux."""
    return _folder("user_config_path")


def state_dir() -> Path:
    """What is remembered between runs: `~/.local/state/kebab` on Linux."""
    return _folder("user_state_path")


def cache_dir() -> Path:
    """What can be fetched or made again: `~/.cache/kebab` on Linux."""
    return _folder("user_cache_path")


def models_dir() -> Path:
    """Embedding models, fetched once for all workspaces."""
    return cache_dir() / "models"


def named_workspace(name: str) -> Workspace:
    """The workspace of that name under the data directory."""
    return Workspace(name, data_dir() / "workspaces" / name)


def workspace_names() -> list[str]:
    """The workspaces under the data directory, by name; none where that can't be read."""
    try:
        return sorted(
            place.name for place in (data_dir() / "workspaces").iterdir() if place.is_dir()
        )
    except OSError:
        return []


def _folder(which: str) -> Path:
    # Not kept: the environment decides, and it differs between calls in tests and servers.
    from platformdirs import PlatformDirs

    try:
        folder: Path = getattr(PlatformDirs("kebab", appauthor=False), which)
    except RuntimeError:
        folder = _NO_HOME
    return folder if folder.is_absolute() else _NO_HOME
