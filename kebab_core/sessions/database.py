"""One SQLite connection, shared by the threads of a process."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kebab_core.errors import PermissionDenied
from kebab_core.sessions import schema
from kebab_core.sessions.failures import is_not_writable, told

BUSY_S = 5.0
"""How long a statement waits for another process's transaction."""


class Database:
    """Opened when first used, for its owner's eyes only (0600), in WAL mode.

    Where it can't be written it is opened for reading; where there is none and none can be made,
    readers find it empty. `on_open` runs in a transaction of its own, if `needs_care` says so.
    """

    def __init__(
        self,
        path: Path | None,
        *,
        needs_care: Callable[[sqlite3.Connection], bool],
        on_open: Callable[[sqlite3.Connection], None],
    ) -> None:
        """`path` None keeps everything in memory."""
        self._path = path
        self._needs_care = needs_care
        self._on_open = on_open
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._only_reads = False

    @property
    def name(self) -> str:
        return "in memory" if self._path is None else str(self._path)

    def close(self) -> None:
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, told(self.name):
            yield self._open()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: whole, or, when anything is raised in it, not at all."""
        with self._lock, told(self.name):
            connection = self._open()
            if self._only_reads:
                raise PermissionDenied(
                    f"The session history {self.name} may not be written.",
                    "Ask with `--no-save`, or choose a writable place with `--data-dir DIR`.",
                )
            with _transaction(connection):
                yield connection

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._only_reads = False
            try:
                self._connection = self._open_for_writing()
            except (OSError, sqlite3.Error) as failure:
                if not is_not_writable(failure):
                    raise
                self._connection = self._open_for_reading()
                self._only_reads = True
        return self._connection

    def _open_for_writing(self) -> sqlite3.Connection:
        if self._path is None:
            return self._prepared(_connect(":memory:"))
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # SQLite would make it with the umask's rights; what belongs to it inherits the file's.
        os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        return self._prepared(_connect(str(self._path)), journal="WAL")

    def _open_for_reading(self) -> sqlite3.Connection:
        if self._path is None or not self._path.is_file():
            return self._prepared(_connect(":memory:"))
        address = self._path.absolute().as_uri()
        try:
            return self._checked(_connect(f"{address}?mode=ro", uri=True))
        except sqlite3.OperationalError:
            # Reading a WAL database writes beside it, unless it is promised not to change.
            return self._checked(_connect(f"{address}?immutable=1", uri=True))

    def _prepared(
        self, connection: sqlite3.Connection, *, journal: str | None = None
    ) -> sqlite3.Connection:
        try:
            if journal is not None:
                _set_journal(connection, journal)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA temp_store = MEMORY")
            if schema.version(connection) < len(schema.MIGRATIONS):
                with _transaction(connection):
                    # Another process may have been faster: it is looked at again inside.
                    schema.migrate(connection)
            schema.check(schema.version(connection), self.name)
            if self._needs_care(connection):
                with _transaction(connection):
                    self._on_open(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _checked(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        try:
            found = schema.version(connection)
            schema.check(found, self.name)
        except BaseException:
            connection.close()
            raise
        if found < len(schema.MIGRATIONS):
            # Older, and it can't be brought up to date: nothing in it can be read.
            connection.close()
            return self._prepared(_connect(":memory:"))
        return connection


def _connect(address: str, *, uri: bool = False) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address, timeout=BUSY_S, isolation_level=None, check_same_thread=False, uri=uri
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _set_journal(connection: sqlite3.Connection, mode: str) -> None:
    """Wait for another process that is at the same: SQLite itself doesn't, for this change."""
    until = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute(f"PRAGMA journal_mode = {mode}")
            return
        except sqlite3.OperationalError as failure:
            # The low byte is the error's kind, the rest says more of it.
            is_busy = failure.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() > until:
                raise
        time.sleep(0.01)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        # A full disk has rolled back already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
