"""What a run covers: which sources there are, and which parts of the disk belong to which."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kebab_core.errors import ConfigInvalid, InvalidInput, NotFound
from kebab_core.ingest import names
from kebab_core.settings.model import SourceSection
from kebab_core.store.records import DocumentState
from kebab_core.store.sources import SourceOrigin, StoredSource

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


@dataclass(frozen=True, slots=True)
class Source:
    """A root. `path` is absolute, links resolved, as the file system writes it; empty for the
    source of single files."""

    source_id: str
    path: str
    made_by: SourceOrigin = "command line"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()

    def stored(self) -> StoredSource:
        return StoredSource(self.source_id, names.to_text(self.path), self.made_by, self.readers)

    def holds(self, path: str) -> bool:
        return bool(self.path) and is_inside(path, self.path)

    def doc_path_of(self, path: str) -> str:
        """The stored path of a file below the root (or of the root, where that is a file)."""
        if path == self.path:
            return names.to_text(os.path.basename(path))  # noqa: PTH119 (names of any bytes)
        return names.to_text(path[len(self.path.rstrip("/")) + 1 :])


_SINGLE = Source(names.FILES_SOURCE, "")


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of one source that is walked: the root, a directory below it, or a file."""

    source: Source
    start: str

    @property
    def is_whole(self) -> bool:
        return self.start == self.source.path


@dataclass(frozen=True, slots=True)
class Coverage:
    """What one run walks.

    `sources` are all roots that own files, walked or not. `superseded` are remembered ones whose
    folder the settings now give another id. `scope` is what was asked for, in its own words.
    """

    units: tuple[Unit, ...]
    sources: tuple[Source, ...]
    scope: tuple[str, ...]
    superseded: tuple[Source, ...] = ()
    warnings: tuple[str, ...] = ()

    def affected_ids(self) -> list[str]:
        """Sources whose documents this run may change: those walked, those around them (which
        may have owned the files before) and the source of single files."""
        starts = [unit.start for unit in self.units]
        ids = {unit.source.source_id for unit in self.units} | {names.FILES_SOURCE}
        for source in (*self.sources, *self.superseded):
            if any(source.holds(start) for start in starts):
                ids.add(source.source_id)
        return sorted(ids)

    def roots_below(self, start: str) -> frozenset[str]:
        """Roots inside `start` that aren't it: they own what is in them."""
        return frozenset(
            source.path
            for source in self.sources
            if source.path != start and is_inside(source.path, start)
        )


NOTHING = Coverage((), (), ())


@dataclass(frozen=True, slots=True)
class _Known:
    active: list[Source]
    superseded: list[Source]
    dormant: list[Source]
    """Once of the settings, now in them no more: kept, not walked."""
    warnings: list[str]

    def new(self, path: str, folder: str) -> Source:
        for source in self.dormant:
            if source.path == path:
                return replace(source, made_by="command line")
        taken = [*self.active, *self.superseded, *self.dormant]
        return Source(names.source_id(folder, [source.source_id for source in taken]), path)


def file_of(document: DocumentState) -> str:
    """The path of a document of the source of single files."""
    # One that isn't UTF-8 is named by its whole path, see `discover.single_doc_path`.
    return document.file_path or "/" + names.to_path(document.doc_path)


def is_inside(path: str, directory: str) -> bool:
    """Whether `path` is `directory` or below it (both absolute, links resolved)."""
    return path == directory or path.startswith(directory.rstrip("/") + "/")


def cover(
    roots: Sequence[str],
    settings: Sequence[SourceSection],
    stored: Sequence[StoredSource],
    files: Mapping[str, str],
) -> Coverage:
    """What to walk for `roots` (none: every known source, and the single files).

    `files` are the single files that are known, path to doc_path. Raises NotFound for a path that
    isn't there, InvalidInput for one that can't be read as files or where there is nothing to do,
    ConfigInvalid for sources of the settings that contradict each other or what is stored.
    """
    paths = check(roots)
    known = _known(settings, stored)
    if not roots:
        return _everything(known, files)
    before = list(known.active)
    for given, path in zip(roots, paths, strict=True):
        owned = _owner(path, before) or any(source.path == path for source in known.active)
        if not owned and Path(path).is_dir():
            # The name as it was given, not that of a link's target.
            name = Path(given).name
            known.active.append(known.new(path, Path(path).name if name in ("", "..") else name))
    units: dict[str, Unit] = {}
    for path in paths:
        units[path] = Unit(_owner(path, known.active) or _SINGLE, path)
        for source in known.active:
            if source.path != path and is_inside(source.path, path):
                units[source.path] = Unit(source, source.path)
    kept = [unit for unit in units.values() if not _is_within_another(unit, units.values())]
    return _coverage(known, kept, roots)


def check(roots: Sequence[str]) -> list[str]:
    """The roots' real paths. Raises NotFound and InvalidInput, see `cover`."""
    return [_resolved(root) for root in roots]


def _is_within_another(unit: Unit, units: Iterable[Unit]) -> bool:
    return any(
        other.start != unit.start
        and other.source is unit.source
        and unit.source is not _SINGLE
        and is_inside(unit.start, other.start)
        for other in units
    )


def _everything(known: _Known, files: Mapping[str, str]) -> Coverage:
    if not known.active and not files:
        raise InvalidInput(
            "There is nothing to ingest: no path was given and no source is known yet.",
            "Say what to read: `kebab ingest PATH`.",
        )
    units = [Unit(source, source.path) for source in known.active]
    units += [Unit(_SINGLE, path) for path in files if _owner(path, known.active) is None]
    return _coverage(known, units, list(dict.fromkeys(unit.source.source_id for unit in units)))


def _coverage(known: _Known, units: Sequence[Unit], scope: Sequence[str]) -> Coverage:
    return Coverage(
        tuple(units),
        tuple(known.active),
        tuple(map(names.to_text, scope)),
        tuple(known.superseded),
        tuple(known.warnings),
    )


def _resolved(root: str) -> str:
    if _ADDRESS.match(root):
        raise InvalidInput(
            f"{root} can't be read: of addresses, those of web pages can be (http and https).",
            "Save it as a file and ingest that.",
        )
    if not root or "\0" in root:
        raise InvalidInput(f"{root!r} is no path.", "Name a file or a folder.")
    try:
        resolved = Path(root).expanduser().resolve(strict=True)
        mode_known = resolved.is_dir() or resolved.is_file()
    except FileNotFoundError:
        raise NotFound(f"{root} does not exist.", "Check the path; nothing was changed.") from None
    except (OSError, RuntimeError) as failure:  # links in a circle, nobody's home
        raise InvalidInput(f"{root} can't be followed: {failure}", "Check the path.") from failure
    if not mode_known:
        raise InvalidInput(
            f"{root} is neither a file nor a folder.", "Name a file or a folder to ingest."
        )
    return str(resolved)


def _owner(path: str, sources: Sequence[Source]) -> Source | None:
    """The source with the longest root that holds `path`."""
    holding = [source for source in sources if source.holds(path)]
    return max(holding, key=lambda source: len(source.path), default=None)


def _known(settings: Sequence[SourceSection], stored: Sequence[StoredSource]) -> _Known:
    configured: dict[str, Source] = {}
    for section in settings:
        source = Source(
            section.id,
            str(Path(section.path).expanduser().resolve()),
            "settings",
            tuple(section.include),
            tuple(section.exclude),
            tuple(section.readers),
        )
        _refuse_conflicts(source, list(configured.values()))
        configured[source.source_id] = source
    known = _Known(list(configured.values()), [], [], [])
    folders = {source.path for source in configured.values()}
    for row in stored:
        if row.source_id in names.RESERVED:
            continue
        remembered = Source(
            row.source_id, names.to_path(row.path), row.made_by, readers=row.readers
        )
        mine = configured.get(row.source_id)
        if mine is not None:
            # Under another path: moved, if the settings made it; else two things of one name.
            if row.made_by == "command line" and mine.path != remembered.path:
                raise ConfigInvalid(
                    f"The source id {row.source_id!r} of the settings already belongs to "
                    f"{row.path}, which was ingested by its path.",
                    f"Choose another id, or run `kebab sources remove {row.source_id}` first.",
                )
        elif remembered.path in folders:
            known.superseded.append(remembered)
        elif row.made_by == "settings":
            known.dormant.append(remembered)
            known.warnings.append(
                f"Source {row.source_id!r} is no longer in the settings and was not read; its "
                f"documents stay until `kebab sources remove {row.source_id}`."
            )
        else:
            known.active.append(remembered)
    return known


def _refuse_conflicts(source: Source, others: Sequence[Source]) -> None:
    if (reserved := source.source_id.casefold()) in names.RESERVED:
        raise ConfigInvalid(
            f"The source id {reserved!r} is kept for what has no folder of its own: single files, "
            "web pages and texts that were piped in.",
            "Choose another id.",
        )
    for other in others:
        if other.source_id.casefold() == source.source_id.casefold():
            raise ConfigInvalid(
                f"Two sources of the settings have the id {source.source_id!r}.",
                "Give each `[[sources]]` an id of its own.",
            )
        if other.path == source.path:
            raise ConfigInvalid(
                f"The sources {other.source_id!r} and {source.source_id!r} of the settings are "
                f"the same folder, {source.path}.",
                "Remove one of them.",
            )
