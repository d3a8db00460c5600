"""Ingest again whenever something changes: one run a burst, whatever happens to the folders.

Folders are watched by the system (watchfiles); single files, and whether a root is still the one
that is watched, are looked at now and then.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path

from kebab_core.errors import KebabError
from kebab_core.ingest.excludes import DIRECTORIES, is_excluded_file
from kebab_core.ingest.roots import is_inside

QUIET_MS = 250
"""A burst of changes ends when nothing has happened for this long,"""
LONGEST_MS = 5_000
"""or after this long, if it never ends."""
_LOOK_MS = 500
"""Between two looks at what the system doesn't tell of, and at whether to stop."""
_MOST_FOLDERS = 50
"""Changed folders that are walked one by one; where there are more, the roots are."""
_LONGEST_WAIT_S = 60.0

Identity = tuple[int, int] | None
"""Device and inode of a folder, time and size of a file; None while there is none."""


class Watching:
    """`starts` are absolute paths of folders and single files. `ingest` is called with paths that
    exist, in the calling thread; a KebabError of it goes to `failed`, and it is tried again.

    What happens below `not_below` is nobody's business: it is the corpus itself.
    """

    def __init__(
        self,
        starts: Sequence[str],
        ingest: Callable[[Sequence[str]], None],
        *,
        failed: Callable[[KebabError], None],
        cancelled: Callable[[], bool],
        not_below: frozenset[str] = frozenset(),
    ) -> None:
        self._starts = list(starts)
        self._ingest = ingest
        self._failed = failed
        self._cancelled = cancelled
        self._not_below = not_below
        self._pending: set[str] = set()
        self._not_before = 0.0
        self._wait_s = 1.0

    def run(self, begun: Callable[[], None] = lambda: None) -> None:
        """Until `cancelled`. `begun` is called once changes are seen: what it reads, and what
        changes meanwhile, is all noticed."""
        first = True
        while not self._cancelled():
            here = self._identities()
            with closing(_bursts(self._folders(here), self._cancelled)) as bursts:
                for burst in bursts:
                    if first:
                        begun()
                        first = False
                    self._pending.update(filter(self._matters, burst))
                    now = self._identities()
                    moved = [start for start in self._starts if now[start] != here[start]]
                    # What is gone is left alone: a disk that isn't mounted looks like that.
                    self._pending.update(start for start in moved if now[start] is not None)
                    if any(_is_folder_changed(start, here[start], now[start]) for start in moved):
                        break  # watch what is there now, and read it then
                    if not burst.isdisjoint(self._starts):
                        # Told of a root itself: another one may have its place, and its inode.
                        self._pending.update(burst.intersection(self._starts))
                        break
                    here = now
                    self._go_on()

    def _go_on(self) -> None:
        if not self._pending or time.monotonic() < self._not_before or self._cancelled():
            return
        paths = self._scope()
        if paths:
            try:
                self._ingest(paths)
            except KebabError as failure:
                self._failed(failure)
                self._not_before = time.monotonic() + self._wait_s
                self._wait_s = min(self._wait_s * 2, _LONGEST_WAIT_S)
                return  # all of it is still pending
        self._pending.clear()
        self._wait_s = 1.0

    def _scope(self) -> list[str]:
        """The folders that the pending changes are in, those that are there."""
        found = {scope for path in self._pending if (scope := self._folder_of(path)) is not None}
        if len(found) > _MOST_FOLDERS:
            found = {start for start in self._starts if os.path.lexists(start)}
        return sorted(
            path
            for path in found
            if not any(path != other and is_inside(path, other) for other in found)
        )

    def _folder_of(self, path: str) -> str | None:
        start = max(
            (start for start in self._starts if is_inside(path, start)), key=len, default=None
        )
        if start is None or not os.path.lexists(start):
            return None
        # An empty folder by itself says nothing; seen from above it says what is gone.
        while path != start and not _holds_something(path):
            path = path.rpartition("/")[0]
        return path

    def _matters(self, path: str) -> bool:
        if any(is_inside(path, own) for own in self._not_below):
            return False
        start = max((s for s in self._starts if is_inside(path, s)), key=len, default="")
        *folders, name = path[len(start) :].strip("/").split("/")
        if not DIRECTORIES.isdisjoint([*folders, name]):
            return False
        # An ignore file is not ingested, but says what is.
        return not name or name in _IGNORE_FILES or not is_excluded_file(name)

    def _identities(self) -> dict[str, Identity]:
        return {start: _identity(start) for start in self._starts}

    def _folders(self, here: dict[str, Identity]) -> list[str]:
        return [start for start in self._starts if here[start] and Path(start).is_dir()]


_IGNORE_FILES = (".gitignore", ".ignore", ".kebabignore")


def _holds_something(path: str) -> bool:
    try:
        with os.scandir(path) as entries:
            return next(entries, None) is not None
    except OSError:
        return False


def _identity(path: str) -> Identity:
    try:
        at = os.stat(path)  # noqa: PTH116 (names of any bytes)
    except OSError:
        return None
    if Path(path).is_dir():
        return at.st_dev, at.st_ino
    return at.st_mtime_ns, at.st_size


def _is_folder_changed(start: str, before: Identity, now: Identity) -> bool:
    """Whether another watcher is wanted: a folder went, came, or is another one."""
    return before is None or now is None or Path(start).is_dir()


def _bursts(
    folders: Sequence[str], cancelled: Callable[[], bool]
) -> Generator[set[str], None, None]:
    """Changed paths, a burst at a time; an empty one now and then, and first of all when changes
    begin to be seen."""
    if not folders:
        while not cancelled():
            yield set()
            _pause(cancelled)
        return
    from watchfiles import watch

    for polling in (False, True):
        try:
            for changes in watch(
                *folders,
                watch_filter=None,
                step=QUIET_MS,
                debounce=LONGEST_MS,
                rust_timeout=_LOOK_MS,
                yield_on_timeout=True,
                stop_event=_Stop(cancelled),
                force_polling=polling,
            ):
                yield {path for _, path in changes}
            return
        except FileNotFoundError:
            # Gone between the look and the watch: the next look sees it.
            yield set()
            return
        except OSError:
            # The system watches no more folders for this user: they are looked at instead.
            if polling:
                raise


class _Stop:
    """What watchfiles asks whether to stop."""

    def __init__(self, cancelled: Callable[[], bool]) -> None:
        self._cancelled = cancelled

    def is_set(self) -> bool:
        return self._cancelled()


def _pause(cancelled: Callable[[], bool]) -> None:
    until = time.monotonic() + _LOOK_MS / 1000
    while time.monotonic() < until and not cancelled():
        time.sleep(0.05)
