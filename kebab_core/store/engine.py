"""The connection to LanceDB and its tables: opened when first used, kept, shared by threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from kebab_core.errors import NotIndexed
from kebab_core.store import failures, schema

T = TypeVar("T")

_TRIES = 4
"""Each would have to lose its version to another tidying."""


class Engine:
    """Tables by name. A local store that isn't there is never made by reading it."""

    def __init__(self, uri: str, workspace_name: str) -> None:
        """`uri`: a local directory, or an address with a scheme that LanceDB knows."""
        self.uri = uri
        self.local: Path | None = None if "://" in uri else Path(uri)
        self.generation: Callable[[], int] = lambda: 0
        """Which tables are meant; the table `meta`, which says so, is one for all generations."""
        self._workspace_name = workspace_name
        self._lock = threading.RLock()
        self._connection: Any = None
        self._tables: dict[str, Any] = {}

    # --- reading -------------------------------------------------------------------------

    def table(self, name: str) -> Any:
        """The LanceDB table, always at its last committed version. Raises NotIndexed."""
        name = self._physical(name)
        table = self._tables.get(name)
        if table is not None:
            return table
        with self._lock:
            if name not in self._tables:
                self._tables[name] = self._opened(name)
            return self._tables[name]

    def has_table(self, name: str) -> bool:
        """Whether the table exists. On a local disk it doesn't load LanceDB."""
        return self._has(self._physical(name))

    def _has(self, name: str) -> bool:
        if self.local is not None:
            return bool(self._commits(name)[0])
        with self.reported("Looking into the store"):
            return name in self._connect().list_tables().tables

    def version(self, name: str) -> int:
        """Number of the table's last commit."""
        with self.reported("Reading the corpus"):
            return int(self.table(name).version)

    def read(self, doing: str, action: Callable[[], T]) -> T:
        """What `action` reads, all of it from one version.

        A writer drops old versions without asking who reads them. A reader that loses its version
        on the way begins again with the newest, and nobody notices.
        """
        with self.reported(doing):
            for _ in range(_TRIES):
                try:
                    return action()
                except Exception as failure:
                    if not failures.is_missing_file(failure):
                        raise
            return action()

    @contextmanager
    def reported(self, doing: str) -> Iterator[None]:
        """Failures inside become KebabErrors; a corpus deleted meanwhile is NotIndexed."""
        try:
            with failures.reported(doing):
                yield
        except failures.Vanished as gone:
            self.forget()
            raise self.not_indexed() from gone

    def not_indexed(self) -> NotIndexed:
        return NotIndexed(
            f"Workspace {self._workspace_name!r} has no corpus yet.",
            "Add your documents with `kebab ingest PATH`.",
        )

    def stamp(self, name: str) -> Hashable:
        """Changes with each commit, and when a local table is deleted and made anew.

        On a local disk it is a look into the folder that has a file for each commit: a tenth of
        what asking LanceDB costs, and what is kept in memory is asked about often.
        """
        physical = self._physical(name)
        if self.local is None:
            return physical, self.version(name)
        commits = self._commits(physical)
        if not commits[0]:
            self.forget()
            raise self.not_indexed()
        return physical, commits

    def bytes_of(self, name: str) -> int:
        """On disk, old versions included; 0 where the store isn't on a local disk."""
        if self.local is None:
            return 0
        return bytes_below(self.local / f"{self._physical(name)}.lance")

    # --- writing -------------------------------------------------------------------------

    def make(self, name: str, table_schema: Any, generation: int = 0) -> None:
        """A new, empty table in the place of any older one, with its key and indices.

        Readers of the older one go on undisturbed: it is an earlier version of the same table.
        """
        from lancedb.index import BTree

        physical = _numbered(name, generation)
        with self._lock, self.reported("Making the corpus"):
            connection = self._connect(make=True)
            table = connection.create_table(physical, schema=table_schema, mode="overwrite")
            # Or two processes that add the same new keys would both succeed.
            table.set_unenforced_primary_key(schema.PRIMARY_KEYS[name])
            table = connection.open_table(physical)
            for column in schema.INDEXED[name]:
                table.create_index(column, config=BTree())
            if name == schema.CHUNKS:
                table.create_index("terms", config=_full_text())
            self._tables[physical] = table

    def drop(self, generation: int) -> None:
        """Delete the tables of a generation, those that are there."""
        with self._lock, self.reported("Tidying the corpus"):
            there = set(self._connect().list_tables().tables)
            for name in schema.GENERATED:
                physical = _numbered(name, generation)
                self._tables.pop(physical, None)
                if physical in there:
                    self._connect().drop_table(physical)

    def forget(self) -> None:
        """Close all tables; the next use opens them again."""
        with self._lock:
            self._tables.clear()
            self._connection = None

    # --- inside --------------------------------------------------------------------------

    def _physical(self, name: str) -> str:
        return _numbered(name, self.generation()) if name in schema.GENERATED else name

    def _commits(self, name: str) -> tuple[frozenset[str], int]:
        """The files of a local table's commits, and when the last came or went."""
        folder = f"{self.uri}/{name}.lance/_versions"
        try:
            with os.scandir(folder) as entries:
                names = frozenset(e.name for e in entries if e.name.endswith(".manifest"))
            return names, os.stat(folder).st_mtime_ns  # noqa: PTH116 - asked about often
        except (FileNotFoundError, NotADirectoryError):
            return frozenset(), 0
        except OSError as error:
            raise failures.os_failure(error, f"{self.uri} can't be read") from error

    def _opened(self, name: str) -> Any:
        if self.local is not None and not self._has(name):
            raise self.not_indexed()
        with self.reported("Opening the corpus"):
            try:
                return self._connect().open_table(name)
            except ValueError as error:
                if "not found" in str(error):
                    raise self.not_indexed() from error
                raise

    def _connect(self, *, make: bool = False) -> Any:
        with self._lock:
            if self._connection is None:
                import lancedb

                if self.local is not None and make:
                    self.local.mkdir(parents=True, exist_ok=True)
                self._connection = lancedb.connect(
                    self.uri,
                    # Without it a reader never sees a later commit.
                    read_consistency_interval=timedelta(0),
                )
            return self._connection


def bytes_below(directory: Path) -> int:
    """Of all files in it; those that go meanwhile are passed over."""
    total = 0
    for folder, _, names in os.walk(directory):
        for name in names:
            try:
                total += os.stat(f"{folder}/{name}").st_size  # noqa: PTH116 - there may be many
            except FileNotFoundError:
                continue
    return total


def _numbered(name: str, generation: int) -> str:
    return f"{name}_{generation}" if generation else name


def _full_text() -> Any:
    from lancedb.index import FTS

    # The terms are analysed already: nothing but whitespace may change them.
    return FTS(
        base_tokenizer="whitespace",
        lower_case=False,
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
        with_position=False,
    )
