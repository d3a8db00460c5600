"""What SQLite says when it can't, in words that help."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from kebab_core.errors import IOFailed, KebabError, PermissionDenied

_NOT_WRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")


@contextmanager
def told(path: str) -> Iterator[None]:
    """Within it, failures of SQLite and of the file system become KebabErrors about `path`."""
    try:
        yield
    except sqlite3.Error as failure:
        raise _explained(path, failure) from failure
    except PermissionError as failure:
        raise _not_writable(path) from failure
    except OSError as failure:
        if failure.errno == errno.EROFS:
            raise _not_writable(path) from failure
        raise IOFailed(
            f"The session history {path} can't be used: {failure.strerror or failure}.",
            "Ask with `--no-save`, or choose another place with `--data-dir DIR`.",
        ) from failure


def is_not_writable(failure: Exception) -> bool:
    """Whether the database may be there all the same, for reading alone."""
    if isinstance(failure, OSError):
        return failure.errno in (errno.EACCES, errno.EPERM, errno.EROFS)
    return _name(failure).startswith(_NOT_WRITABLE)


def _name(failure: Exception) -> str:
    return getattr(failure, "sqlite_errorname", None) or ""


def _not_writable(path: str) -> KebabError:
    return PermissionDenied(
        f"The session history {path} may not be written.",
        "Ask with `--no-save`, or choose a writable place with `--data-dir DIR`.",
    )


def _explained(path: str, failure: sqlite3.Error) -> KebabError:
    name = _name(failure)
    if name.startswith(_NOT_WRITABLE):
        return _not_writable(path)
    if name.startswith("SQLITE_FULL"):
        return IOFailed(
            f"The disk is full: the session history {path} can't be written.",
            "Free some space, or ask with `--no-save`.",
        )
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return IOFailed(
            f"Another program holds the session history {path}.",
            "Wait for it to end, then try again.",
        )
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return IOFailed(
            f"The session history {path} is damaged: {failure}.",
            "Move that file away; kebab starts a new one.",
        )
    return IOFailed(f"The session history {path} failed: {failure}.", "Try again.")
