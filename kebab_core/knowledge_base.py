"""One workspace, opened: what every door asks, searches, ingests and reads through."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from kebab_core.errors import EmbedderUnavailable, InvalidInput, KebabError, NotFound, NotIndexed
from kebab_core.types import (
    AskOptions,
    Chunk,
    Document,
    GivenText,
    IngestEvent,
    IngestNotice,
    IngestOptions,
    ModelChoice,
    Scope,
    SearchMode,
    SearchOptions,
    SearchResult,
)

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path
    from types import TracebackType

    from kebab_core.ask.run import AskRun
    from kebab_core.ask.starters import Starters
    from kebab_core.embed.base import Embedder
    from kebab_core.evaluation.golden import Golden
    from kebab_core.llm.base import ChatModel
    from kebab_core.rerank import Reranker
    from kebab_core.sessions import SessionStore
    from kebab_core.settings.load import Configuration
    from kebab_core.store import DocumentState, Store, StoredSource
    from kebab_core.wire.answer import EmbeddingRef
    from kebab_core.wire.documents import DocSummary
    from kebab_core.wire.ingest import IngestReport
    from kebab_core.wire.reports import (
        Doctor,
        EvalReport,
        SchemaReport,
        SpendReport,
        WhyReport,
    )
    from kebab_core.wire.search_response import SearchResponse
    from kebab_core.wire.session import Session

# Sets of sources whose starters are kept at the same time.
_MOST_SCOPES = 64


class KnowledgeBase:
    """Opening is cheap: the store, the embedder and the chat model load when first used.

    Safe to use from several threads. Close it (or use it as a context manager) to release the
    session database.
    """

    def __init__(
        self, configuration: Configuration, *, sessions: SessionStore | None = None
    ) -> None:
        self.configuration = configuration
        self._sessions = sessions
        # One a part, so that a turn can be taken while the embedder still loads.
        self._sessions_lock = threading.Lock()
        self._embedder_lock = threading.Lock()
        self._choices_lock = threading.Lock()
        self._embedder: Embedder | None = None
        self._embedder_warning: str | None = None
        self._choices: dict[tuple[str, str | None], ModelChoice] = {}
        self._scoped_starters: dict[tuple[str, ...], Starters] = {}

    @classmethod
    def open(
        cls, configuration: Configuration, *, sessions: SessionStore | None = None
    ) -> KnowledgeBase:
        """Open the workspace of `configuration`; keep `sessions` there unless others are given."""
        return cls(configuration, sessions=sessions)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the session database, if it was opened."""
        with self._sessions_lock:
            sessions, self._sessions = self._sessions, None
        if sessions is not None:
            sessions.close()

    # --- parts ---------------------------------------------------------------------------

    @cached_property
    def store(self) -> Store:
        from kebab_core.store import Store

        settings = self.configuration.settings
        return Store.open(self.configuration.workspace, settings.store.uri)

    @property
    def sessions(self) -> SessionStore:
        """Conversations and one-off turns of this workspace."""
        with self._sessions_lock:
            if self._sessions is None:
                from kebab_core.sessions import SqliteSessions

                self._sessions = SqliteSessions(self.configuration.workspace.sessions_db)
            return self._sessions

    def embedder(self) -> Embedder | None:
        """The embedding model, loaded once; None when it isn't there (search is then lexical)."""
        with self._embedder_lock:
            if self._embedder is None:
                from kebab_core import embed

                try:
                    self._embedder = embed.load(self.configuration)
                    self._embedder_warning = None
                except EmbedderUnavailable as missing:
                    hint = f" ({missing.hint})" if missing.hint else ""
                    self._embedder_warning = f"Search is lexical only: {missing.message}{hint}"
            return self._embedder

    def warm(self) -> None:
        """Load store, embedder and chat model at the same time. Failures wait for their use."""
        parts: list[Callable[[], object]] = [
            self._warm_store,
            self.embedder,
            lambda: self.model_choice(),
        ]
        threads = [threading.Thread(target=_quietly, args=(part,), daemon=True) for part in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _warm_store(self) -> None:
        if self.store.exists():
            self.store.counts()

    # --- corpus --------------------------------------------------------------------------

    def ingest(
        self,
        roots: Sequence[str] = (),
        *,
        options: IngestOptions | None = None,
        on_event: Callable[[IngestEvent], None] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        texts: Sequence[GivenText] = (),
    ) -> IngestReport:
        """Make the corpus equal to what is under `roots` (none: every remembered source).

        A root may be the address of a web page: it is fetched. `texts` are added as documents;
        with them alone, no source is read.
        `on_event` is called in the calling thread. `cancelled` is polled between files and
        batches; what was committed by then stays. The embedding model is fetched if it isn't
        there; where that fails too, the corpus is lexical only and the report says so.
        """
        from kebab_core.ingest import ingest

        tell = on_event or _ignore
        embedder = self._embedder_for_ingest(tell)
        return ingest(
            self.store,
            embedder,
            roots,
            options or IngestOptions(),
            self.configuration,
            on_event=tell,
            cancelled=cancelled,
            texts=texts,
        )

    def watch(
        self,
        roots: Sequence[str] = (),
        *,
        options: IngestOptions | None = None,
        on_event: Callable[[IngestEvent], None] | None = None,
        on_report: Callable[[IngestReport], None],
        cancelled: Callable[[], bool],
    ) -> None:
        """Ingest `roots`, then again whatever changes in them, a burst at a time, until
        `cancelled`. `on_report` is called after each run, in the calling thread.

        The first run raises as `ingest` does. A failure of a later one is a notice, and it is
        tried again. A root that vanishes loses nothing, and is read again when it is back.
        """
        from kebab_core.ingest.pipeline import own_directories
        from kebab_core.ingest.watched import starts
        from kebab_core.ingest.watching import Watching

        options = options or IngestOptions()
        tell = on_event or _ignore
        later = replace(options, force=False)

        def run(paths: Sequence[str], options: IngestOptions = later) -> None:
            on_report(self.ingest(paths, options=options, on_event=tell, cancelled=cancelled))

        Watching(
            starts(self.store, self.configuration.settings, roots),
            run,
            failed=lambda failure: tell(IngestNotice(f"{failure.message} Trying again soon.")),
            cancelled=cancelled,
            not_below=own_directories(self.configuration),
        ).run(begun=lambda: run(roots, options))

    def _embedder_for_ingest(self, tell: Callable[[IngestEvent], None]) -> Embedder | None:
        if (embedder := self.embedder()) is not None:
            return embedder
        from kebab_core import embed

        def notice(text: str) -> None:
            tell(IngestNotice(text))

        try:
            loaded = embed.load(self.configuration, fetch=True, notice=notice)
        except EmbedderUnavailable as missing:
            # A corpus made by a model can't be half rewritten without it.
            if self.store.exists() and (meta := self.store.made_with) and meta.embedding_id:
                raise
            hint = f" {missing.hint}" if missing.hint else ""
            notice(f"No embedding model, so search will be lexical only. {missing.message}{hint}")
            return None
        with self._embedder_lock:
            self._embedder, self._embedder_warning = loaded, None
        return loaded

    def documents(
        self, *, source_ids: Sequence[str] = (), doc_ids: Sequence[str] | None = None
    ) -> list[DocSummary]:
        """All documents, or those of these sources or ids, by source and path; none if there is
        no corpus yet."""
        from kebab_core.retrieve.staleness import Staleness
        from kebab_core.wire.convert import doc_summary

        if not self.store.exists():
            return []
        staleness = Staleness(self.configuration.settings.workspace.stale_after_days)
        found = self.store.documents(source_ids=tuple(source_ids), doc_ids=doc_ids)
        found.sort(key=lambda document: (document.source_id, document.doc_path))
        return [doc_summary(item, stale=staleness.of(item)) for item in found]

    def document(self, doc_id: str) -> Document:
        """The stored document with its text. Raises NotFound."""
        document = self.store.document(doc_id)
        if document is None:
            raise NotFound(f"No document has the id {doc_id}.", "List them with `kebab docs list`.")
        return document

    def find_document(self, name: str) -> Document:
        """By id, or by its path within its source, with `source:` before it where two sources
        have the same path; without its text. Raises NotFound, and InvalidInput for a name that
        several documents have."""
        self.require_corpus()
        if found := self.store.documents(doc_ids=[name]):
            return found[0]
        named = [
            item
            for item in self.store.documents()
            if name in (item.doc_path, f"{item.source_id}:{item.doc_path}")
        ]
        if not named:
            raise NotFound(
                f"No document has the path or the id {name!r}.", "List them with `kebab docs list`."
            )
        if len(named) > 1:
            ways = ", ".join(sorted(f"{item.source_id}:{item.doc_path}" for item in named))
            raise InvalidInput(f"{name!r} is in several sources.", f"Say which: {ways}.")
        return named[0]

    def chunks(self, doc_id: str) -> list[Chunk]:
        """The passages of a document, in its order."""
        return self.store.chunks_of(doc_id)

    def remove_documents(self, doc_ids: Sequence[str]) -> None:
        """Remove documents from the corpus; nothing on disk changes. Unknown ids are ignored."""
        self.store.remove(doc_ids)

    def require_corpus(self) -> None:
        """Raises NotIndexed where there is none."""
        if not self.store.exists():
            raise NotIndexed(
                f"Workspace {self.configuration.workspace.name!r} has no corpus yet.",
                "Add your documents with `kebab ingest PATH`.",
            )

    def sources(self) -> list[StoredSource]:
        """The remembered sources, by id."""
        return self.store.sources()

    def documents_by_source(self) -> Mapping[str, int]:
        """How many documents each source has; those without any are left out."""
        return Counter(state.source_id for state in self._states())

    def _states(self) -> list[DocumentState]:
        return self.store.states() if self.store.exists() else []

    def remove_source(self, source_id: str) -> int:
        """Forget a source and its documents; returns how many. Raises NotFound."""
        known = {source.source_id for source in self.store.sources()}
        if source_id not in known:
            names = ", ".join(sorted(known)) or "none yet"
            raise NotFound(
                f"There is no source {source_id!r}; the corpus has: {names}.",
                "List them with `kebab sources list`.",
            )
        with self.store.writer():
            doomed = [state.doc_id for state in self._states() if state.source_id == source_id]
            self.store.remove(doomed)
            self.store.remove_source(source_id)
        return len(doomed)

    # --- search --------------------------------------------------------------------------

    def search(self, query: str, options: SearchOptions | None = None) -> SearchResponse:
        """The best passages for `query`, as `search_response.v1`."""
        from kebab_core.wire.convert import search_hit
        from kebab_core.wire.search_response import SearchResponse

        result = self.find(query, options or self.search_options())
        return SearchResponse(
            hits=[search_hit(hit, query) for hit in result.hits],
            truncated=False,
            mode=result.mode,
            limited=result.limited,
            warnings=list(result.warnings),
            notes=list(result.notes) if options is not None and options.explain else None,
        )

    def search_options(self) -> SearchOptions:
        """What the settings say about searching."""
        section = self.configuration.settings.search
        return SearchOptions(k=section.k, mode=section.mode)

    def find(self, query: str, options: SearchOptions) -> SearchResult:
        """The same search, as the core's own values."""
        from kebab_core.retrieve import search

        self.require_corpus()
        embedder = self.embedder() if options.mode != "lexical" else None
        warning = self._embedder_warning
        meta = self.store.meta
        if embedder is not None and meta is not None and meta.embedding_id is None:
            embedder = None
            warning = (
                "Search is lexical only: this corpus was ingested without an embedding model "
                "(run `kebab ingest` again to add vectors)."
            )
        elif embedder is not None and meta is not None and meta.embedding_id != embedder.id:
            beside = self.store.beside_meta
            if beside is None or beside.embedding_id != embedder.id:
                self.store.check(embedder.id)  # raises
            warning = (
                f"Search is lexical only until all is indexed with {embedder.id} "
                "(`kebab reindex` goes on with that)."
            )
            embedder = None
        return search(
            self.store,
            embedder,
            query,
            options,
            stale_after_days=self.configuration.settings.workspace.stale_after_days,
            embedder_warning=warning,
            reranker=self._reranker,
        )

    @cached_property
    def _reranker(self) -> Reranker | None:
        """Raises EmbedderUnavailable, which a person who set one wants to hear."""
        from kebab_core import rerank

        return rerank.create(self.configuration.settings.search.rerank)

    # --- asking --------------------------------------------------------------------------

    def ask(self, question: str, options: AskOptions | None = None) -> AskRun:
        """Start a run: its events come by iterating it, its end by `result()`."""
        from kebab_core.ask.run import AskDeps, AskRun
        from kebab_core.ask.toolbox import Box, StoredCorpus
        from kebab_core.retrieve.unranked import Unranked

        options = options or AskOptions()
        settings = self.configuration.settings
        unranked = Unranked(self.store, settings.workspace.stale_after_days)
        corpus = StoredCorpus(self.store, self.find, unranked)
        deps = AskDeps(
            configuration=self.configuration,
            search=self.find,
            sessions=lambda: self.sessions,
            counts=self.store.counts,
            model=self.chat_model,
            embedding=self.embedding_ref,
            passages=unranked.named,
            toolbox=lambda situation: Box(question, options, settings, corpus, situation),
        )
        return AskRun(question, options, deps)

    def model_choice(self, role: str = "ask", override: str | None = None) -> ModelChoice:
        """Which chat model answers in that role, decided once an opening."""
        key = (role, override)
        with self._choices_lock:
            if key not in self._choices:
                from kebab_core.llm import roles

                self._choices[key] = roles.choose(self.configuration, role, override)
            return self._choices[key]

    def chat_models(self) -> list[str]:
        """`provider:model` of what could answer here; others can be named as well."""
        from kebab_core.llm import roles

        return roles.offered(self.configuration)

    def chat_model(self, role: str = "ask", override: str | None = None) -> ChatModel:
        """A new connection to the model of that role. The caller closes it."""
        from kebab_core import llm

        embedder = self.embedder()
        return llm.create(
            self.model_choice(role, override),
            self.configuration,
            embed_query=embedder.embed_query if embedder else None,
            embed_passages=embedder.embed_passages if embedder else None,
            reads=embedder.reads if embedder else None,
            role=role,
        )

    def starters(self, scope: Scope | None = None) -> list[str]:
        """Three to five first questions, from the titles and headings of the newest documents.

        With a `scope`, of those that it may read; who may read the same shares the same.

        Fewer from fewer than three documents, none from none. They are kept until the corpus or
        the model changes; until then this returns at once, else it may call the model and take
        seconds. Never from a thread that runs an event loop.
        """
        if scope is None or scope.readers is None:
            return self._starters.get()
        readers = scope.readers
        visible = tuple(
            source.source_id for source in self.store.sources() if source.is_visible_to(readers)
        )
        with self._choices_lock:
            if len(self._scoped_starters) >= _MOST_SCOPES:
                self._scoped_starters.clear()
            kept = self._scoped_starters.get(visible)
            if kept is None:
                kept = self._scoped_starters[visible] = self._make_starters(visible)
        return kept.get()

    @cached_property
    def _starters(self) -> Starters:
        return self._make_starters(None)

    def _make_starters(self, sources: tuple[str, ...] | None) -> Starters:
        from kebab_core import llm
        from kebab_core.ask.kept_starters import NAME
        from kebab_core.ask.starters import ROLE, StarterDeps, Starters

        def choose() -> ModelChoice:
            return self.model_choice(ROLE)

        return Starters(
            StarterDeps(
                store=self.store,
                file=self.configuration.workspace.directory / NAME if sources is None else None,
                row=self.configuration.settings.models.starters,
                choose=choose,
                connect=lambda: llm.create(choose(), self.configuration, role=ROLE),
                record=lambda calls: self.sessions.record_spend(calls),
                sources=sources,
            )
        )

    def embedding_ref(self) -> EmbeddingRef | None:
        """The embedding model in use, None while search is lexical only."""
        from kebab_core.wire.answer import EmbeddingRef

        embedder = self._embedder
        if embedder is None:
            return None
        return EmbeddingRef(
            id=embedder.id, provider=embedder.provider, dimensions=embedder.dimensions
        )

    # --- evaluation ----------------------------------------------------------------------

    def evaluate(
        self,
        sets: Mapping[str, Path],
        *,
        answers: bool = True,
        model: str | None = None,
        k: int | None = None,
        mode: SearchMode | None = None,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> EvalReport:
        """Put golden sets, by name, to the corpus. Without `answers` they are only searched for.

        Nothing of it is kept as history. Raises what reading a set, a search or an ask raises.
        """
        from kebab_core.evaluation.running import evaluate

        settings = self.configuration.settings
        searching = SearchOptions(k=k or settings.ask.k, mode=mode or settings.search.mode)
        asking = AskOptions(k=k, search_mode=mode, model=model, save=False)
        embedding = self.embedding_ref()
        about = {
            "model": self.model_choice("ask", model).ref if answers else None,
            "embedding": embedding.id if embedding else None,
            "corpus_revision": self.store.revision,
        }
        return evaluate(
            sets,
            self.find,
            self.ask if answers else None,
            searching,
            asking,
            score_gate=settings.ask.score_gate,
            about=about,
            on_progress=on_progress,
        )

    def golden_question(
        self, session_id: str, turn_index: int, expect: Sequence[str] = (), *, answerable: bool
    ) -> Golden:
        """A past turn as a question of a golden set. Raises NotFound and InvalidInput."""
        from kebab_core.evaluation.adding import golden_of

        session = self.sessions.get(session_id)
        return golden_of(session, turn_index, expect, answerable=answerable)

    def why(self, path: str, question: str, options: SearchOptions | None = None) -> WhyReport:
        """At which step the document called `path` falls out of what a question is answered from.

        `options.k` is how many passages an ask takes.
        """
        from kebab_core.ask import gate
        from kebab_core.evaluation.why import Asked, why

        settings = self.configuration.settings
        options = options or SearchOptions(k=settings.ask.k, mode=settings.search.mode)
        asked = Asked(question, options, gate.bar(settings.ask.score_gate))
        return why(path, asked, self.store, self.find)

    def with_changes(self, session: Session) -> Session:
        """The session, each passage marked with what became of its source since."""
        from kebab_core.retrieve.staleness import differs_on_disk
        from kebab_core.sessions.since import with_changes

        find = self.store.document if self.store.exists() else _nothing
        return with_changes(session, find, differs_on_disk)

    # --- reports -------------------------------------------------------------------------

    def spend(self, from_day: date | None = None, to_day: date | None = None) -> SpendReport:
        """What the chat models took from one day to another, both included.

        Without days: the 30 up to today. Raises InvalidInput for days in the wrong order.
        """
        from datetime import date, datetime

        last = to_day or datetime.now().astimezone().date()
        first = from_day or date.fromordinal(max(1, last.toordinal() - 29))
        if first > last:
            raise InvalidInput(
                f"{first} is after {last}: there are no days between them.",
                "Give the earlier day first, such as `--from 2026-01-01 --to 2026-01-31`.",
            )
        return self.sessions.spend(first, last)

    def status(self) -> SchemaReport:
        """What this build and this corpus hold. An empty corpus counts zero, it isn't an error."""
        from kebab_core.status import schema_report

        return schema_report(self.configuration, self.store)

    def doctor(self) -> Doctor:
        """Everything that must be well for an ask to succeed, checked for real."""
        from kebab_core import embed
        from kebab_core.doctor import examine

        return examine(
            self.configuration,
            self.store,
            load_embedder=lambda: embed.load(self.configuration).id,
            choose_model=self.model_choice,
            connect=self.chat_model,
        )


def _ignore(event: IngestEvent) -> None:
    """Nobody listens."""


def _nothing(doc_id: str) -> None:
    """There is no corpus, so no document."""


def _quietly(part: Callable[[], object]) -> None:
    try:
        part()
    except KebabError:
        # Warming is a favour: the same failure comes again, with its words, where it is needed.
        return
