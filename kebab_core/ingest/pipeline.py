"""A run from beginning to end: look, compare, read, embed, write, remove, report."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kebab_core.errors import IOFailed, KebabError
from kebab_core.ingest import names, pages
from kebab_core.ingest import roots as roots_of
from kebab_core.ingest.discover import discover
from kebab_core.ingest.found import FoundFile
from kebab_core.ingest.given import Given, to_read
from kebab_core.ingest.languages import Languages
from kebab_core.ingest.measure import Tokenizer
from kebab_core.ingest.moves import Moves
from kebab_core.ingest.plan import Plan, ToRead, plan
from kebab_core.ingest.prepare import Nothing, Prepared, Same
from kebab_core.ingest.report import Tally
from kebab_core.ingest.stages import Batch, Embedded, Stages, Started, Step
from kebab_core.ingest.target import Target
from kebab_core.text.identity import doc_id
from kebab_core.types import (
    AssetResult,
    AssetStarted,
    GivenText,
    IngestEvent,
    IngestOptions,
    ScanCompleted,
    ScanStarted,
)
from kebab_core.wire.ingest import IngestReport

if TYPE_CHECKING:
    from kebab_core.embed.base import Embedder
    from kebab_core.settings.load import Configuration
    from kebab_core.store import DocumentState, Store

CANCELLED = "cancelled"


@contextmanager
def few_collections() -> Iterator[None]:
    """Tens of thousands of small values are made here, and all are kept: the garbage collector
    would look through them again and again, and find nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def ingest(
    store: Store,
    embedder: Embedder | None,
    roots: Sequence[str],
    options: IngestOptions,
    configuration: Configuration,
    *,
    on_event: Callable[[IngestEvent], None],
    cancelled: Callable[[], bool],
    texts: Sequence[GivenText] = (),
) -> IngestReport:
    """Make the corpus equal to what is under `roots`; none: under every remembered source.

    A root may be the address of a web page, which is fetched. With `texts` alone, nothing else
    is read.

    Without an `embedder` the corpus is lexical only, until a later run has one. `on_event` is
    called in the calling thread, with exactly one IngestCompleted or IngestAborted at the end of
    a run that began (ScanStarted). `cancelled` is polled between files and batches and while
    waiting; what was committed by then stays, and the report says `aborted`.

    Raises NotFound and InvalidInput for roots, ConfigInvalid for sources of the settings,
    StoreLocked, IndexIncompatible for a corpus of another embedding model, EmbedderUnavailable
    where the corpus has vectors and there is no `embedder`, and IOFailed or PermissionDenied
    where the store can't be written: the corpus is then as after the last batch.
    """
    paths = [root for root in roots if not pages.is_page(root)]
    addresses = [root for root in roots if pages.is_page(root)]
    roots_of.check(paths)
    given = [Given.of_text(text) for text in texts]

    def run() -> IngestReport:
        made = _Run(
            store,
            embedder,
            paths,
            options,
            configuration,
            on_event,
            cancelled,
            is_whole=not (roots or texts),
        )
        made.take(given, addresses)
        return made.run()

    if options.dry_run:
        return run()
    with store.writer():
        return run()


def own_directories(configuration: Configuration) -> frozenset[str]:
    """Never walked: the corpus itself."""
    from kebab_core import paths

    own = [paths.data_dir(), configuration.workspace.directory]
    uri = configuration.settings.store.uri
    if uri and "://" not in uri:
        own.append(Path(uri).expanduser())
    return frozenset(str(directory.resolve()) for directory in own)


class _Run:
    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        roots: Sequence[str],
        options: IngestOptions,
        configuration: Configuration,
        on_event: Callable[[IngestEvent], None],
        cancelled: Callable[[], bool],
        *,
        is_whole: bool,
    ) -> None:
        self._embedder = embedder
        self._languages = Languages(embedder)
        self._options = options
        self._configuration = configuration
        self._cancelled = cancelled
        self._tally = Tally(on_event, include_items=options.include_items)
        self._target = Target(store, embedder, configuration.settings, is_dry=options.dry_run)
        # A corpus of another model is replaced as a whole or not at all.
        self._target.choose(
            may_replace=(options.force or options.anew) and is_whole, anew=options.anew
        )
        # Made anew, it goes on where it was cut off.
        self._is_forced = options.force and not self._target.is_made_anew
        self._old_ids = {state.doc_id for state in self._target.old_states}
        self._files = {
            roots_of.file_of(document): document.doc_path
            for document in (*self._target.old_states, *self._target.states)
            if document.source_id == names.FILES_SOURCE
        }
        self._roots = roots
        self._coverage = roots_of.NOTHING
        self._given: list[Given] = []
        self._addresses: Sequence[str] = ()
        self._laid_out: dict[str, Given] = {}
        self._moves = Moves(())
        self._announced = {state.doc_id for state in self._target.states if state.is_announced}
        self._emptied: list[DocumentState] = []
        self._unopened: set[str] = set()
        self._touched: list[tuple[str, int, int]] = []

    def take(self, given: Sequence[Given], addresses: Sequence[str]) -> None:
        """What to read beside the roots, or instead of them. Once, before `run`."""
        self._given, self._addresses = list(given), addresses
        if self._roots or not (given or addresses):
            self._coverage = roots_of.cover(
                self._roots,
                self._configuration.settings.sources,
                self._target.sources,
                self._files,
            )
        named = [item.doc_path for item in given]
        self._coverage = replace(
            self._coverage, scope=(*self._coverage.scope, *named, *self._addresses)
        )

    def run(self) -> IngestReport:
        tally = self._tally
        tally.tell(ScanStarted(self._coverage.scope))
        try:
            completed = self._go()
        except BaseException as failure:
            reason = failure.message if isinstance(failure, KebabError) else type(failure).__name__
            tally.aborted(reason)
            if isinstance(failure, OSError) and not isinstance(failure, BrokenPipeError):
                raise IOFailed(
                    f"Ingest stopped: {failure}.", "What was committed before is kept."
                ) from failure
            raise
        if completed:
            tally.completed()
        else:
            tally.aborted(CANCELLED)
        return tally.report(
            self._coverage.scope,
            dry_run=self._options.dry_run,
            aborted=None if completed else CANCELLED,
        )

    def _go(self) -> bool:
        """False when cancelled."""
        with tempfile.TemporaryDirectory(prefix="kebab-") as folder:
            return self._gone_through(Path(folder))

    def _gone_through(self, folder: Path) -> bool:
        with few_collections():
            todo = self._planned(folder)
            if todo is None:
                return False
            self._moves = Moves(todo.gone)
            self._tally.unchanged(todo.unchanged)
        for skipped in todo.skipped:
            self._tally.finished(
                skipped.file.source_id,
                skipped.file.doc_path,
                "skipped",
                kind=skipped.kind,
                reason=skipped.reason,
            )
        limits = self._configuration.settings.ingest
        stages = Stages(
            todo.to_read,
            Tokenizer.of(self._embedder),
            self._target.embedding(reuse=not self._is_forced),
            embedding_id=self._target.embedding_id,
            max_file_bytes=limits.max_file_bytes,
            max_file_seconds=limits.max_file_seconds,
            workers=limits.workers,
        )
        with closing(stages.steps(self._cancelled)) as steps:
            for step in steps:
                self._take(step)
        if self._cancelled():
            return False
        if (warning := self._languages.warning()) is not None:
            self._tally.warn(warning)
        self._remove(todo)
        same = {document.doc_id for document in todo.unchanged}
        self._target.finish(same, self._touched, self._coverage)
        self._target.take_over(self._unopened, prune=self._options.prune)
        return True

    # --- looking and comparing ------------------------------------------------------------

    def _planned(self, folder: Path) -> Plan | None:
        """None when cancelled. Texts that are in no file are laid out in `folder`."""
        discovery = discover(
            self._coverage,
            self._files,
            not_below=own_directories(self._configuration),
            cancelled=self._cancelled,
        )
        if self._cancelled():
            return None
        affected = set(self._coverage.affected_ids())
        todo = plan(
            self._coverage,
            discovery,
            [item for item in self._target.states if item.source_id in affected],
            embedding_id=self._target.embedding_id,
            max_file_bytes=self._configuration.settings.ingest.max_file_bytes,
            force=self._is_forced,
            prune=self._options.prune,
        )
        tally = self._tally
        given = self._lay_out(folder)
        todo.to_read += given
        if self._target.is_made_anew and not self._options.prune:
            self._target.refuse_losses(
                plan(
                    self._coverage,
                    discovery,
                    self._target.old_states,
                    embedding_id=None,
                    max_file_bytes=self._configuration.settings.ingest.max_file_bytes,
                    force=True,
                    prune=False,
                )
            )
        scanned = sum(len(walked.files) for walked in discovery.walked)
        tally.add(scanned=scanned + len(given))
        tally.tell(ScanCompleted(tally.counts, len(todo.to_read)))
        for warning in (*self._coverage.warnings, *discovery.warnings, *todo.warnings):
            tally.warn(warning)
        nothing = not any(walked.files or walked.problems for walked in discovery.walked)
        if nothing and not todo.warnings and not self._given and not self._addresses:
            tally.warn(f"There is nothing to read in {', '.join(self._coverage.scope)}.")
        for problem in discovery.problems():
            tally.finished(
                problem.source_id,
                problem.doc_path,
                "error" if problem.kind is None else "skipped",
                kind=problem.kind,
                reason=problem.reason,
            )
        return todo

    def _lay_out(self, folder: Path) -> list[ToRead]:
        settings = self._configuration.settings
        given = list(self._given)
        if self._target.is_made_anew:
            given += self._target.kept_texts()
        if self._addresses:
            for fetched in pages.fetch(self._addresses, settings, self._cancelled):
                if isinstance(fetched, Given):
                    given.append(fetched)
                else:
                    address, reason = fetched
                    self._tally.add(scanned=1)
                    self._tally.finished(names.WEB_SOURCE, address, "error", reason=reason)
        laid_out = to_read(
            given,
            self._target.states,
            folder,
            embedding_id=self._target.embedding_id,
            force=self._is_forced,
        )
        self._laid_out = {path: item for path, (item, _) in laid_out.items()}
        return [task for _, task in laid_out.values()]

    # --- reading, embedding, writing, removing --------------------------------------------

    def _take(self, step: Step) -> None:
        match step:
            case Started(task):
                self._tally.tell(AssetStarted(task.file.source_id, task.file.doc_path))
            case Embedded(chunks, ms):
                self._tally.embedded(chunks, ms)
            case Same(file, document, ms):
                self._same(document, file, ms)
            case Nothing():
                self._nothing(step)
            case Batch():
                self._commit(step)

    def _same(self, document: DocumentState, file: FoundFile, ms: int) -> None:
        mtime_ns = 0 if file.path in self._laid_out else file.mtime_ns
        self._touched.append((document.doc_id, mtime_ns, file.byte_len))
        self._tally.finished(
            file.source_id, file.doc_path, "unchanged", chunks=document.chunk_count, ms=ms
        )

    def _nothing(self, step: Nothing) -> None:
        self._tally.finished(
            step.file.source_id,
            step.file.doc_path,
            "error" if step.kind is None else "skipped",
            kind=step.kind,
            reason=step.reason,
            ms=step.ms,
        )
        if step.kind is None:
            self._unopened.add(doc_id(step.file.source_id, step.file.doc_path))
        elif step.previous is not None:
            self._emptied.append(step.previous)

    def _commit(self, batch: Batch) -> None:
        origins = self._moves.origins_of(
            item.document
            for item in batch.prepared
            if item.result == "new" or item.document.doc_id in self._announced
        )
        if self._laid_out:
            given = [self._laid_out.get(item.file.path) for item in batch.prepared]
            batch.stored = [
                stored if text is None else text.settled(stored)
                for text, stored in zip(given, batch.stored, strict=True)
            ]
        self._target.commit(batch.stored, self._coverage, origins)
        if not self._options.dry_run:
            self._tally.add(chunks_indexed=batch.chunks, embeddings_reused=batch.reused)
        for item in batch.prepared:
            self._languages.count(item.document.lang)
            origin, *_ = origins.get(item.document.doc_id, [None])
            self._tally.finished(
                item.file.source_id,
                item.file.doc_path,
                self._result(item) if origin is None else "moved",
                chunks=len(item.chunks),
                reason=item.document.error,
                warnings=item.warnings,
                ms=item.ms,
                moved_from=origin.doc_path if origin is not None else None,
            )

    def _result(self, item: Prepared) -> AssetResult:
        if item.result == "new" and item.document.doc_id in self._old_ids:
            return "updated"
        return item.result

    def _remove(self, todo: Plan) -> None:
        moved = self._moves.moved_ids
        todo.gone = [document for document in todo.gone if document.doc_id not in moved]
        doomed, warnings = todo.removable(self._emptied, prune=self._options.prune)
        for warning in warnings:
            self._tally.warn(warning)
        self._target.remove(doomed, self._coverage, moved)
        for document in doomed:
            self._tally.finished(document.source_id, document.doc_path, "removed")
