"""What discovery finds: files, what could not be looked at, and what it can vouch for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from kebab_core.ingest.roots import Unit, is_inside


class FoundFile(NamedTuple):
    """A regular file of a source. `path` is the file system's own name for it."""

    source_id: str
    doc_path: str
    path: str
    byte_len: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be looked at, or isn't looked at. `kind` is a stable word for what
    is skipped on purpose; None for an error."""

    source_id: str
    doc_path: str
    reason: str
    kind: str | None = None


@dataclass(slots=True)
class Walked:
    """What is under one unit. Beneath `blind` paths nothing can be said to be gone.

    `gone` (why its start can't be found) and `is_empty`: a disk that isn't mounted looks like
    either.
    """

    unit: Unit
    files: list[FoundFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    blind: list[str] = field(default_factory=list)
    gone: str | None = None
    is_empty: bool = False

    def vouches_for(self, path: str) -> bool:
        """Whether a file of this unit that wasn't found really isn't there."""
        if self.gone is not None or self.is_empty:
            return False
        return not any(is_inside(path, blind) for blind in self.blind)


@dataclass(slots=True)
class Discovery:
    walked: list[Walked]
    warnings: list[str]

    def files(self) -> Iterator[FoundFile]:
        for walked in self.walked:
            yield from walked.files

    def problems(self) -> Iterator[Problem]:
        for walked in self.walked:
            yield from walked.problems
