"""`.kebab/`: a workspace that lives in a project's folder.

It may hold anything, so one that came with a clone or an archive isn't used. What makes it one's
own is the id inside, remembered together with its place in the person's state: a copy elsewhere
is foreign again.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from pathlib import Path

from kebab_core.errors import InvalidInput, IOFailed
from kebab_core.paths import Workspace
from kebab_core.settings.files import upward
from kebab_core.settings.state import UserState
from kebab_core.text.clean import for_display

FOLDER = ".kebab"
ID_FILE = "id"

_ID = re.compile(rb"[0-9a-f]{32}\s*")


@dataclass(frozen=True, slots=True)
class Found:
    """The innermost `.kebab/` that may be used, and the foreign ones met on the way to it."""

    workspace: Workspace | None
    foreign: tuple[Path, ...]


def find(start: Path | None, state: UserState) -> Found:
    """Look upward from `start` (None: nowhere)."""
    foreign: list[Path] = []
    for folder in upward(start) if start else ():
        directory = folder / FOLDER
        if not _is_workspace(directory):
            continue
        if is_own(directory, state):
            return Found(_workspace(directory), tuple(foreign))
        foreign.append(directory)
    return Found(None, tuple(foreign))


def is_own(directory: Path, state: UserState) -> bool:
    """Whether it was made here, or was trusted since."""
    workspace_id = read_id(directory)
    return workspace_id is not None and state.knows_workspace(directory, workspace_id)


def make_local_workspace(folder: Path, state: UserState) -> Workspace:
    """Make `folder/.kebab/` and remember it as one's own; one that is there already stays.

    Raises InvalidInput where a foreign one, or something else of that name, is in the way, and
    IOFailed where it can't be written or remembered.
    """
    directory = folder / FOLDER
    if is_own(directory, state):
        return _workspace(directory)
    shown = for_display(str(directory))
    if directory.is_symlink() or directory.exists():
        raise InvalidInput(
            f"{shown} is there already, and wasn't made by you on this machine.",
            "If you trust what it holds, run `kebab config trust`; else move it away.",
        )
    try:
        directory.mkdir()
        # Not for sharing: an index in a clone is foreign there anyway.
        (directory / ".gitignore").write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise IOFailed(
            f"{shown} can't be made: {error.strerror}.", "Choose a folder that you may write to."
        ) from None
    adopt(directory, state)
    return _workspace(directory)


def adopt(directory: Path, state: UserState) -> None:
    """Make a `.kebab/` one's own. Raises IOFailed."""
    shown = for_display(str(directory))
    workspace_id = read_id(directory)
    if workspace_id is None:
        workspace_id = uuid.uuid4().hex
        try:
            (directory / ID_FILE).unlink(missing_ok=True)
            with (directory / ID_FILE).open("x", encoding="ascii") as file:
                file.write(f"{workspace_id}\n")
        except OSError as error:
            raise IOFailed(f"{shown} can't be given an id: {error.strerror}.") from None
    if not state.remember_workspace(directory, workspace_id):
        raise not_remembered(shown, state)


def not_remembered(shown: str, state: UserState) -> IOFailed:
    """The error where trust was meant to last and can't."""
    reason = state.warnings[-1] if state.warnings else "There is no state directory."
    return IOFailed(
        f"{shown} can't be remembered as trusted. {reason}",
        "Make that file writable, or set XDG_STATE_HOME to a folder that is.",
    )


def read_id(directory: Path) -> str | None:
    """The id inside, None where there is none."""
    file = directory / ID_FILE
    try:
        if not file.is_file():
            return None
        with file.open("rb") as opened:
            data = opened.read(64)
    except OSError:
        # What can't be read was not made here; the caller says that it isn't used.
        return None
    return data.decode("ascii").strip() if _ID.fullmatch(data) else None


def _is_workspace(directory: Path) -> bool:
    try:
        return any((directory / part).exists() for part in (ID_FILE, "store", "sessions.sqlite3"))
    except OSError:
        return False


def _workspace(directory: Path) -> Workspace:
    return Workspace(directory.absolute().parent.name or FOLDER, directory.absolute())
