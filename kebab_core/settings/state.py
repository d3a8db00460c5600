"""What kebab remembers about a person between runs: models and looks taken, files trusted,
`.kebab/` made.

A small JSON file in the person's state directory. Losing it loses no document: models are found
again, and trust is asked for again.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from kebab_core import paths
from kebab_core.text.clean import for_display

STATE_FILE = "state.json"

_PARTS = ("models", "looks", "trusted", "workspaces")
_LOCK_WAIT_S = 5.0

_Data: TypeAlias = dict[str, Any]


class UserState:
    """Safe to use from several threads, and from several processes at once.

    Where the file can't be read or written (a read-only home, no home at all), everything works
    in memory and `warnings` says so.
    """

    def __init__(self, file: Path | None) -> None:
        """Read `file`; None keeps everything in memory."""
        self.file = file
        self.warnings: list[str] = []
        self._lock = threading.Lock()
        self._writable = file is not None
        self._data = self._read()

    @classmethod
    def open(cls) -> UserState:
        """The state of the person who runs kebab."""
        return cls(paths.state_dir() / STATE_FILE)

    # --- models --------------------------------------------------------------------------

    def remembered_model(self, role: str) -> str | None:
        """The `provider:model` that was found for `role` the first time."""
        return self._get("models", role)

    def remember_model(self, role: str, ref: str) -> bool:
        """True if it was written to disk. The same holds for all that remembers below."""
        return self._put("models", role, ref)

    # --- looks ---------------------------------------------------------------------------

    def remembered_look(self, name: str) -> str | None:
        """How the person likes the chat to look: a theme's name, `true` or `false`."""
        return self._get("looks", name)

    def remember_look(self, name: str, value: str) -> bool:
        return self._put("looks", name, value)

    # --- trust ---------------------------------------------------------------------------

    def trusted(self, file: Path, digest: str) -> bool:
        """Whether `file` was trusted with exactly the content that `digest` is the hash of."""
        return self._get("trusted", _where(file)) == digest

    def trust(self, file: Path, digest: str) -> bool:
        return self._put("trusted", _where(file), digest)

    def knows_workspace(self, directory: Path, workspace_id: str) -> bool:
        """Whether this `.kebab/` was made here, or was trusted: the id at that very place."""
        return self._get("workspaces", _where(directory)) == workspace_id

    def remember_workspace(self, directory: Path, workspace_id: str) -> bool:
        return self._put("workspaces", _where(directory), workspace_id)

    # --- the file ------------------------------------------------------------------------

    def _get(self, part: str, key: str) -> str | None:
        with self._lock:
            value: str | None = self._data[part].get(key)
            return value

    def _put(self, part: str, key: str, value: str) -> bool:
        def change(data: _Data) -> None:
            data[part][key] = value

        with self._lock:
            change(self._data)
            return self._save(change)

    def _save(self, change: Callable[[_Data], None]) -> bool:
        if self.file is None or not self._writable:
            return False
        import filelock

        try:
            self.file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = self.file.with_suffix(".lock")
            with filelock.FileLock(lock, timeout=_LOCK_WAIT_S, mode=0o600):
                # Another process may have written since: its words stay.
                data = self._read()
                change(data)
                if self._writable:
                    _replace(self.file, data)
                    self._data = data
        except (OSError, filelock.Timeout) as error:
            self._cannot("written", error)
        return self._writable

    def _read(self) -> _Data:
        if self.file is None:
            return _empty()
        try:
            text = self.file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return _empty()
        except OSError as error:
            # Not ours to replace: what can't be read may be worth keeping.
            self._cannot("read", error)
            return _empty()
        try:
            return _checked(json.loads(text))
        except (ValueError, RecursionError):
            self._move_aside()
            return _empty()

    def _move_aside(self) -> None:
        file = self.file
        if file is None:
            return
        number, aside = 1, file.with_name(f"{file.name}.broken")
        while aside.exists():
            number += 1
            aside = file.with_name(f"{file.name}.broken-{number}")
        try:
            file.replace(aside)
        except FileNotFoundError:
            return  # Another process was quicker, and says so.
        except OSError as error:
            self._cannot("read", error)
            return
        self.warnings.append(
            f"{_shown(file)} was no longer readable and is now {aside.name}: "
            "what was trusted and which model was found must be said again."
        )

    def _cannot(self, what: str, error: Exception) -> None:
        self._writable = False
        reason = getattr(error, "strerror", None) or type(error).__name__
        self.warnings.append(
            f"{_shown(self.file)} can't be {what} ({reason}): nothing is remembered."
        )


def _empty() -> _Data:
    return {part: {} for part in _PARTS}


def _checked(data: object) -> _Data:
    """`data` with all parts there; keys of a newer kebab are kept. Raises ValueError."""
    if not isinstance(data, dict):
        raise ValueError("not an object")
    whole = {**_empty(), **data}
    for part in _PARTS:
        table = whole[part]
        if not isinstance(table, dict) or not all(isinstance(one, str) for one in table.values()):
            raise ValueError(part)
    return whole


def _replace(file: Path, data: _Data) -> None:
    """Write beside and rename: a reader sees the old file or the new one, nothing between."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")  # made 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            json.dump(data, out, indent=2, sort_keys=True)
            out.write("\n")
            out.flush()
            os.fsync(out.fileno())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _where(path: Path) -> str:
    """The real place of the folder that holds `path`; `path` itself is not followed."""
    return os.path.join(os.path.realpath(path.parent), path.name)  # noqa: PTH118


def _shown(file: Path | None) -> str:
    return for_display(str(file))
