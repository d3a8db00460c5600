"""What a run has to do: the files found, beside the documents stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kebab_core.ingest import chunk, extract, names
from kebab_core.ingest.extract.outcome import Skipped
from kebab_core.ingest.found import Discovery, FoundFile, Walked
from kebab_core.ingest.roots import Coverage, Source, file_of
from kebab_core.store.records import DocumentState

_MANY = 20
"""Documents of a source that may go at once, be they most of it."""

_TICK_NS = 50_000_000
"""A file that was changed less than this before it was read may have changed again within one tick
of the file system's clock (a few milliseconds): it is compared by content."""
_COARSE_TICK_NS = 2_000_000_000
"""The same for times of whole seconds, which FAT and other old file systems keep."""


@dataclass(frozen=True, slots=True)
class SkippedFile:
    file: FoundFile
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class ToRead:
    """A file to be read. `previous` is what is stored of it; `must_redo`: though its content be
    the same (other parser, other chunker, missing vectors, failed before). `name` chooses its
    reader, where the last part of its path doesn't."""

    file: FoundFile
    previous: DocumentState | None
    must_redo: bool
    name: str | None = None

    @property
    def reader_name(self) -> str:
        return self.name or self.file.doc_path.rpartition("/")[2]


@dataclass(slots=True)
class Plan:
    to_read: list[ToRead] = field(default_factory=list)
    unchanged: list[DocumentState] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    gone: list[DocumentState] = field(default_factory=list)
    """Stored, and no longer on disk under that name."""
    moved_over: set[str] = field(default_factory=set)
    """Ids of those among `gone` whose file another source has now."""
    totals: Counter[str] = field(default_factory=Counter)
    """Documents stored, by source."""
    warnings: list[str] = field(default_factory=list)

    def removable(
        self, emptied: Sequence[DocumentState], *, prune: bool
    ) -> tuple[list[DocumentState], list[str]]:
        """Documents to remove, and what to say of those that are kept for safety's sake.

        `emptied` are stored documents whose files turned out to have nothing to read any more.
        """
        doomed = [*self.gone, *emptied]
        leaving = Counter(
            document.source_id for document in doomed if document.doc_id not in self.moved_over
        )
        kept: list[str] = []
        for source_id, count in sorted(leaving.items()):
            total = self.totals[source_id]
            if count > _MANY and count * 2 > total and not prune:
                kept.append(source_id)
        warnings = [
            f"{leaving[source_id]} of {self.totals[source_id]} documents of source {source_id!r} "
            "are no longer on disk. So many at once were not removed; if that is right, run "
            "`kebab ingest --prune`."
            for source_id in kept
        ]
        return [
            document
            for document in doomed
            if document.source_id not in kept or document.doc_id in self.moved_over
        ], warnings


def plan(
    coverage: Coverage,
    discovery: Discovery,
    stored: Sequence[DocumentState],
    *,
    embedding_id: str | None,
    max_file_bytes: int,
    force: bool,
    prune: bool,
) -> Plan:
    """Compare by size, time and versions; content is compared when a file is read.

    `stored` are the documents of all affected sources, `embedding_id` is the model in use.
    """
    made = Plan(totals=Counter(document.source_id for document in stored))
    by_place = {(document.source_id, document.doc_path): document for document in stored}
    for file in discovery.files():
        name = file.doc_path.rpartition("/")[2]
        try:
            extract.check_name(name)
            if file.byte_len > max_file_bytes:
                raise _too_large(file, max_file_bytes)
        except Skipped as skipped:
            made.skipped.append(SkippedFile(file, skipped.kind, skipped.reason))
            continue  # what was stored of it goes
        previous = by_place.pop((file.source_id, file.doc_path), None)
        must_redo = force or previous is None or not is_of_today(previous, name, embedding_id)
        if must_redo or previous is None or not _looks_unchanged(previous, file):
            made.to_read.append(ToRead(file, previous, must_redo))
        else:
            made.unchanged.append(previous)
    _find_gone(made, coverage, discovery, list(by_place.values()), prune=prune)
    return made


def _too_large(file: FoundFile, max_file_bytes: int) -> Skipped:
    return Skipped(
        "too_large",
        f"{file.byte_len:,} bytes, more than ingest.max_file_bytes ({max_file_bytes:,})",
    )


def is_of_today(previous: DocumentState, name: str, embedding_id: str | None) -> bool:
    """Whether a stored document is what would be made of the same content now."""
    return (
        previous.error is None
        and previous.chunker_version == chunk.VERSION
        and previous.embedding_id == embedding_id
        and previous.parser_version in extract.expected_versions(name)
    )


def _looks_unchanged(previous: DocumentState, file: FoundFile) -> bool:
    if previous.byte_len != file.byte_len or previous.mtime_ns != file.mtime_ns:
        return False
    tick = _TICK_NS if file.mtime_ns % 1_000_000_000 else _COARSE_TICK_NS
    return previous.verified_ns - file.mtime_ns > tick


def _find_gone(
    made: Plan,
    coverage: Coverage,
    discovery: Discovery,
    unseen: Sequence[DocumentState],
    *,
    prune: bool,
) -> None:
    if not unseen:
        return
    roots = {source.source_id: source for source in (*coverage.sources, *coverage.superseded)}
    walked = _WalkedPaths(discovery.walked)
    found = {file.path: file.source_id for file in discovery.files()}
    kept: Counter[int] = Counter()
    for document in unseen:
        path = path_of(document, roots)
        if path is None:
            continue
        i = walked.covering(path)
        if i is None:
            continue
        if found.get(path, document.source_id) != document.source_id:
            made.gone.append(document)
            made.moved_over.add(document.doc_id)
        elif _is_really_gone(discovery.walked[i], path, prune=prune):
            made.gone.append(document)
        else:
            kept[i] += 1
    for i, count in sorted(kept.items()):
        if (warning := _why_kept(discovery.walked[i], count)) is not None:
            made.warnings.append(warning)


def path_of(document: DocumentState, roots: Mapping[str, Source]) -> str | None:
    """Where the file of a stored document was; None for one of a source that isn't known."""
    if document.source_id == names.FILES_SOURCE:
        return file_of(document)
    source = roots.get(document.source_id)
    if source is None:
        return None
    below = names.to_path(document.doc_path)
    if "/" not in below and source.path.rpartition("/")[2] == below and Path(source.path).is_file():
        return source.path
    return f"{source.path.rstrip('/')}/{below}"


class _WalkedPaths:
    """Finds the unit that a path stands in: the innermost."""

    def __init__(self, walked: Sequence[Walked]) -> None:
        self._at = {item.unit.start: i for i, item in enumerate(walked)}

    def covering(self, path: str) -> int | None:
        while True:
            if path in self._at:
                return self._at[path]
            above = path.rpartition("/")[0] or "/"
            if above == path:
                return None
            path = above


def _is_really_gone(walked: Walked, path: str, *, prune: bool) -> bool:
    if walked.gone is not None and not walked.unit.source.path:
        # A single file: gone, if the folder it was in is there and isn't an empty mount point.
        folder = Path(walked.unit.start).parent
        try:
            return prune or any(folder.iterdir())
        except OSError:
            return False
    if walked.is_empty and prune:
        return True
    return walked.vouches_for(path)


def _why_kept(walked: Walked, count: int) -> str | None:
    documents = "1 document" if count == 1 else f"{count} documents"
    place = names.to_text(walked.unit.start)
    source_id = walked.unit.source.source_id
    if walked.gone is not None:
        return (
            f"{place} can't be reached ({walked.gone}); nothing of it was removed ({documents}). "
            f"If it is gone for good, run `kebab sources remove {source_id}`."
        )
    if walked.is_empty:
        return (
            f"{place} is empty, as a disk that isn't mounted is; nothing of it was removed "
            f"({documents}). If that is right, run `kebab ingest --prune`."
        )
    return None  # its problems are reported as such
