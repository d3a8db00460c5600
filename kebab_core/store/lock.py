"""One writer at a time: a file lock, and beside it a note of who holds it.

The lock itself decides; the note only lets a second writer name the first. A note that a
killed process left behind does no harm.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from kebab_core.errors import StoreLocked
from kebab_core.store.failures import os_failure

if TYPE_CHECKING:
    from filelock import FileLock


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that writes. `since` is ISO 8601 in UTC."""

    pid: int
    host: str
    since: str


class WriterLock:
    """Re-entrant within a thread; another thread of the same process is another writer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.note = path.with_name(path.name + ".json")
        self._lock: FileLock | None = None

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the lock. Raises StoreLocked at once if someone else does."""
        from filelock import Timeout

        lock = self._file_lock()
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise self._refusal() from None
        except OSError as error:
            raise os_failure(error, f"The lock {self.path} can't be taken") from error
        except NotImplementedError as error:
            raise os_failure(
                OSError(str(error)), f"The file system of {self.path} knows no locks"
            ) from error
        try:
            if lock.lock_counter == 1:
                self._write_note()
            yield
        finally:
            if lock.lock_counter == 1:
                with suppress(OSError):  # gone with its directory, or never written
                    self.note.unlink()
            lock.release()

    def holder(self) -> Holder | None:
        """Who wrote the note last; None if there is none that can be read."""
        try:
            return Holder(**json.loads(self.note.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def _file_lock(self) -> FileLock:
        if self._lock is None:
            from filelock import FileLock

            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise os_failure(error, f"{self.path.parent} can't be made") from error
            self._lock = FileLock(self.path)
        return self._lock

    def _write_note(self) -> None:
        since = datetime.now(UTC).isoformat(timespec="seconds")
        holder = Holder(os.getpid(), socket.gethostname(), since)
        with suppress(OSError):  # a full disk: the lock holds without its note
            self.note.write_text(json.dumps(asdict(holder)), "utf-8")

    def _refusal(self) -> StoreLocked:
        holder = self.holder()
        if holder is None:
            who, details = "another process", {}
        else:
            who = f"process {holder.pid} on {holder.host}, since {holder.since}"
            details = asdict(holder)
        return StoreLocked(
            f"The corpus is being written by {who}.",
            "Wait until it is done, then run this again. Searching and asking work meanwhile.",
            details=details,
        )
