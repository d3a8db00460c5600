"""The corpus that a run writes to: whether it may, making it ready, remembering the roots."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from kebab_core.errors import EmbedderUnavailable, InvalidInput
from kebab_core.ingest.given import SOURCES, Given
from kebab_core.ingest.plan import Plan
from kebab_core.ingest.roots import Coverage
from kebab_core.ingest.vectors import Embedding
from kebab_core.store.sources import StoredSource
from kebab_core.types import Document

if TYPE_CHECKING:
    from kebab_core.embed.base import Embedder
    from kebab_core.settings.model import Settings
    from kebab_core.store import DocumentState, Store, StoredDocument

_UPKEEP_EVERY = 16
"""Commits between two looks at whether the store wants tidying, in a long run."""

_DEFAULT_DIMENSIONS = 384


class Target:
    """Made when a run begins, inside the writer's lock; nothing is written before `commit`.

    `states` are those of all documents stored. With `is_dry` every writing method does
    nothing.
    """

    def __init__(
        self, store: Store, embedder: Embedder | None, settings: Settings, *, is_dry: bool
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._settings = settings
        self._is_dry = is_dry
        self._existed = store.exists()
        self._meta = store.made_with if self._existed else None
        self._is_ready = False
        self.is_made_anew = False
        self._commits = 0
        self._old: Store | None = None
        self.old_states: list[DocumentState] = []
        """Of the corpus that is to be replaced."""
        self._sources: dict[str, StoredSource] = {
            source.source_id: source for source in (store.sources() if self._existed else ())
        }
        self.states: list[DocumentState] = store.states() if self._existed else []

    @property
    def embedding_id(self) -> str | None:
        return self._embedder.id if self._embedder is not None else None

    @property
    def sources(self) -> list[StoredSource]:
        return list(self._sources.values())

    def choose(self, *, may_replace: bool, anew: bool) -> None:
        """Whether to write the corpus itself, or a new one beside it.

        Raises IndexIncompatible for a corpus of another embedding model or an older layout,
        unless it `may` be replaced; EmbedderUnavailable if it has vectors and no model is here;
        NotIndexed if there is nothing to be made `anew`.
        """
        if self._meta is None:
            if anew:
                self._store.counts()  # raises
            return
        other_model = False
        if self._meta.embedding_id is not None:
            if self._embedder is None:
                if not self._is_dry:
                    raise _model_is_missing(self._meta.embedding_id)
            else:
                other_model = self._meta.embedding_id != self._embedder.id
        if (other_model or self._store.is_outdated) and not may_replace:
            self._store.check(self.embedding_id or "")  # raises
        if anew or other_model or self._store.is_outdated:
            self._write_beside()

    def _write_beside(self) -> None:
        self._old, self.old_states = self._store, self.states
        if self._is_dry:
            self._store = self._old.beside()
        else:
            self._store = self._old.begin_beside(self.embedding_id, self._dimensions())
        # What an earlier run came to, before it was cut off.
        self.states = self._store.states() if self._store.exists() else []
        self._meta = self._store.meta
        self.is_made_anew = True

    def refuse_losses(self, of_old: Plan) -> None:
        """A corpus made anew holds what can be read now. Raises InvalidInput if that isn't all;
        `of_old` is what would have to be done for the old one."""
        known = {task.previous.doc_id for task in of_old.to_read if task.previous is not None}
        known.update(document.doc_id for document in of_old.gone)
        self._refuse_loss_of(
            [
                document
                for document in self.old_states
                if document.doc_id not in known and document.source_id not in SOURCES
            ]
        )

    def _refuse_loss_of(self, lost: Sequence[DocumentState]) -> None:
        if lost:
            sources = ", ".join(sorted({document.source_id for document in lost}))
            raise InvalidInput(
                f"{len(lost)} documents can't be read now (of: {sources}) and would be lost by "
                "indexing everything again.",
                "Make them readable, or let them go with `kebab reindex --prune`. Until then the "
                "corpus stays as it is.",
            )

    def kept_texts(self) -> list[Given]:
        """Documents of the old corpus that are in no file, as they were given."""
        ids = [state.doc_id for state in self.old_states if state.source_id in SOURCES]
        if not ids or self._old is None:
            return []
        return [Given.of_stored(item) for item in self._old.documents(doc_ids=ids, with_text=True)]

    def embedding(self, *, reuse: bool) -> Embedding | None:
        """What computes vectors; with `reuse`, those in the corpus are taken where they fit."""
        if self._embedder is None or self._is_dry:
            return None
        known = self._store.vectors if reuse and self._meta is not None else None
        return Embedding(self._embedder, known)

    def commit(
        self,
        batch: Sequence[StoredDocument],
        coverage: Coverage,
        origins: Mapping[str, Sequence[DocumentState]],
    ) -> None:
        """Write whole documents, all or none of them. `origins`: what some of them were before
        they were moved, by the id of now; those go in the same commit."""
        if self._is_dry:
            return
        if not self._is_ready:
            self._store.create(self.embedding_id, self._dimensions())
            # Before the first document, so that a run that is cut off can be gone on with.
            self.remember(coverage)
            self._is_ready = True
        for source_id in {item.document.source_id for item in batch}.intersection(SOURCES):
            self._remember(StoredSource(source_id, "", "command line"))
        moved = {doc_id: [item.doc_id for item in from_] for doc_id, from_ in origins.items()}
        self._store.replace(self._as_of_before(batch, origins), moved=moved)
        self._commits += 1
        if self._commits % _UPKEEP_EVERY == 0:
            self._tidy()

    def _as_of_before(
        self, batch: Sequence[StoredDocument], origins: Mapping[str, Sequence[DocumentState]]
    ) -> Sequence[StoredDocument]:
        """What was only moved keeps the time at which its content was indexed."""
        ids = [origin.doc_id for origin, *_ in origins.values()]
        before = {item.doc_id: item for item in self._store.documents(doc_ids=ids)} if ids else {}

        def kept(item: StoredDocument) -> StoredDocument:
            document = item.document
            origin, *_ = origins.get(document.doc_id, [None])
            old = before.get(origin.doc_id) if origin is not None else None
            if old is None or _made_by(old) != _made_by(document):
                return item
            return replace(item, document=replace(document, indexed_at=old.indexed_at))

        return [kept(item) for item in batch]

    def remember(self, coverage: Coverage) -> None:
        """Keep the roots, where they are new or other than before."""
        for unit in coverage.units:
            self._remember(unit.source.stored())

    def _remember(self, source: StoredSource) -> None:
        if self._sources.get(source.source_id) != source:
            self._store.set_source(source)
            self._sources[source.source_id] = source

    def remove(
        self, doomed: Sequence[DocumentState], coverage: Coverage, moved_ids: Collection[str]
    ) -> None:
        """Delete documents, and forget sources that have another name now and no documents."""
        if self._is_dry or not self._store.exists():
            return
        gone = {document.doc_id for document in doomed}
        if gone:
            self._store.remove(sorted(gone))
        for source in coverage.superseded:
            theirs = {item.doc_id for item in self.states if item.source_id == source.source_id}
            if theirs <= gone.union(moved_ids):
                self._store.remove_source(source.source_id)

    def finish(
        self, same: Collection[str], touched: Sequence[tuple[str, int, int]], coverage: Coverage
    ) -> None:
        """Note what was seen unchanged (see `Store.verify`), and tidy up."""
        if self._is_dry or not self._store.exists():
            return
        self._store.verify(same, touched, at=datetime.now(UTC))
        self.remember(coverage)
        if self._commits:
            self._tidy()

    def take_over(self, unopened: Collection[str], *, prune: bool) -> None:
        """Put what was made beside in the place of the old corpus. Raises InvalidInput where
        documents whose files could not be opened (`unopened` are ids) would be lost."""
        if self._old is None:
            return
        if not prune:
            self._refuse_loss_of([state for state in self.old_states if state.doc_id in unopened])
        if not self._is_dry:
            self._old.take_over()

    def _tidy(self) -> None:
        if self._store.needs_upkeep():
            self._store.optimize()

    def _dimensions(self) -> int:
        if self._embedder is not None:
            return self._embedder.dimensions
        from kebab_core import embed

        return embed.expected_dimensions(self._settings) or _DEFAULT_DIMENSIONS


def _model_is_missing(embedding_id: str) -> EmbedderUnavailable:
    return EmbedderUnavailable(
        f"The corpus was embedded with {embedding_id}, which is not at hand; documents without "
        "vectors would hardly be found beside the others.",
        "Install the model with `kebab models install`.",
    )


def _made_by(document: Document) -> tuple[str, str, str | None]:
    return document.parser_version, document.chunker_version, document.embedding_id
