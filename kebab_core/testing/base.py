"""A knowledge base whose answers are written down beforehand: no model, no store, no waiting.

It has the methods of `KnowledgeBase` that a screen uses, and yields the same events. Documents
are real texts, so that what a citation names can be opened::

    base = ScriptedBase({"hr/leave.md": "# Leave\\n\\nTwenty-six weeks.\\n"})
    base.reply("How long?", Reply(hits=[base.hit("hr/leave.md", 3)], prose="26 weeks [1]."))
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from kebab_core.errors import KebabError, NotFound
from kebab_core.llm.providers import parse_ref
from kebab_core.sessions import MemorySessions, SessionStore
from kebab_core.sessions.since import with_changes
from kebab_core.settings.configuration import Configuration
from kebab_core.testing.run import Reply, ScriptedRun
from kebab_core.text.identity import content_hash, doc_id
from kebab_core.types import (
    AskOptions,
    AssetFinished,
    AssetStarted,
    Chunk,
    Document,
    Hit,
    IngestCompleted,
    IngestCounts,
    IngestEvent,
    IngestOptions,
    ModelChoice,
    ScanCompleted,
    ScanStarted,
)
from kebab_core.wire.convert import doc_summary
from kebab_core.wire.documents import DocSummary
from kebab_core.wire.ingest import IngestReport
from kebab_core.wire.reports import CorpusStats, SchemaReport
from kebab_core.wire.session import Session

_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*$")
_CODE = {"py": "python", "rs": "rust", "ts": "typescript"}
SOURCE = "handbook"
MODEL = ModelChoice("ollama", "qwen3:8b", "settings")
WHEN = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


@dataclass
class ScriptedBase:
    """`documents` maps paths to texts. `pause` is called where time passes in a script."""

    configuration: Configuration
    documents_by_path: Mapping[str, str] = field(default_factory=dict)
    model: ModelChoice = MODEL
    sessions: SessionStore = field(default_factory=MemorySessions)
    pause: Callable[[float], None] = lambda seconds: None
    first_questions: Sequence[str] | None = None
    """What `starters` proposes; None asks what each document says."""
    thinking: threading.Event | None = None
    """Holds `starters` until it is set."""
    counts: tuple[int, int] | None = None
    """Documents and passages that `status` tells of; None counts what is there."""
    replies: dict[str, Reply] = field(default_factory=dict)
    default: Reply | None = None
    opening_error: KebabError | None = None
    runs: list[ScriptedRun] = field(default_factory=list)
    closed: bool = False

    def reply(self, question: str, reply: Reply) -> None:
        """What to answer to `question`."""
        self.replies[question] = reply

    # --- the facade ----------------------------------------------------------------------

    def warm(self) -> None:
        """Nothing to load."""

    def close(self) -> None:
        self.closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def model_choice(self, role: str = "ask", override: str | None = None) -> ModelChoice:
        if override is None:
            return self.model
        provider, model = parse_ref(override)
        return ModelChoice(provider, model, "flag")

    def chat_models(self) -> list[str]:
        return [self.model.ref, "quote"]

    def ask(self, question: str, options: AskOptions | None = None) -> ScriptedRun:
        """The reply for `question`, else the default one. Raises NotFound if there is none."""
        reply = self.replies.get(question, self.default)
        if reply is None:
            raise NotFound(f"No reply was scripted for {question!r}.")
        run = ScriptedRun(question, options or AskOptions(), reply, self.sessions, self.model)
        run.pause = self.pause
        self.runs.append(run)
        return run

    def starters(self) -> list[str]:
        if self.thinking is not None:
            self.thinking.wait(30)
        if self.first_questions is not None:
            return list(self.first_questions)
        return [f'What does "{document.title}" say?' for document in self.documents()][:5]

    def status(self) -> SchemaReport:
        if self.opening_error is not None:
            raise self.opening_error
        documents, chunks = self.counts or (len(self.documents_by_path), len(self.documents()))
        stats = CorpusStats(
            documents=documents,
            chunks=chunks,
            by_media={},
            by_lang={},
            bytes={},
            stale=0,
            failing=0,
            last_ingest_at=WHEN if documents else None,
            corpus_revision=1,
        )
        return SchemaReport(
            kebab_version="0", wire=[], capabilities={}, models={"ask": self.model.ref}, stats=stats
        )

    def documents(self, *, source_ids: Sequence[str] = ()) -> list[DocSummary]:
        paths = list(self.documents_by_path)
        return [doc_summary(self._document(path), stale=False) for path in paths]

    def document(self, doc_id: str) -> Document:
        for path in self.documents_by_path:
            document = self._document(path)
            if document.doc_id == doc_id:
                return document
        raise NotFound(f"No document has the id {doc_id}.", "List them with `kebab docs list`.")

    def with_changes(self, session: Session) -> Session:
        paths = {doc_id(SOURCE, path): path for path in self.documents_by_path}
        return with_changes(
            session,
            lambda one: self._document(paths[one]) if one in paths else None,
            lambda document: False,
        )

    def ingest(
        self,
        roots: Sequence[str] = (),
        *,
        options: IngestOptions | None = None,
        on_event: Callable[[IngestEvent], None] = lambda event: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> IngestReport:
        """Each root becomes a document of one line."""
        on_event(ScanStarted(tuple(roots)))
        on_event(ScanCompleted(IngestCounts(scanned=len(roots)), len(roots)))
        done = 0
        for root in roots:
            if cancelled():
                break
            on_event(AssetStarted(SOURCE, root))
            self.pause(0.1)
            self.documents_by_path = {**self.documents_by_path, root: f"# {root}\n"}
            done += 1
            on_event(AssetFinished(SOURCE, root, "new", 1))
        counts = IngestCounts(scanned=len(roots), new=done)
        on_event(IngestCompleted(counts))
        return IngestReport(
            scope=list(roots),
            scanned=len(roots),
            new=done,
            updated=0,
            unchanged=0,
            removed=0,
            skipped=0,
            errors=0,
            duration_ms=100,
            chunks_indexed=done,
            embeddings_computed=0,
            embeddings_reused=0,
            skipped_by_extension={},
            skip_reasons={},
            items=None,
            aborted="cancelled" if done < len(roots) else None,
        )

    # --- passages ------------------------------------------------------------------------

    def hit(
        self,
        path: str,
        first: int,
        last: int | None = None,
        *,
        relevance: float | None = 0.9,
        page: int | None = None,
        stale: bool = False,
    ) -> Hit:
        """Lines `first` to `last` (1-based, inclusive) of a document, as they would be found."""
        document = self._document(path)
        lines = document.text.splitlines(keepends=True)
        last = first if last is None else last
        start = sum(map(len, lines[: first - 1]))
        text = "".join(lines[first - 1 : last])
        chunk = Chunk(
            chunk_id=f"{path}:{first}-{last}",
            doc_id=document.doc_id,
            source_id=SOURCE,
            doc_path=path,
            ordinal=first,
            text=text,
            start=start,
            end=start + len(text),
            line_start=first,
            line_end=last,
            media=document.media,
            of=document.of,
            page=page,
            heading_path=_headings(lines[: first - 1]) if document.media == "markdown" else (),
            code_lang=document.code_lang,
        )
        return Hit(
            chunk=chunk,
            rank=1,
            score=relevance or 0.0,
            score_kind="rrf",
            title=document.title,
            indexed_at=WHEN,
            stale=stale,
            chunker_version="1",
            index_version=1,
            file_path=document.file_path,
            relevance=relevance,
            lexical_rank=1,
            vector_rank=1,
        )

    def _document(self, path: str) -> Document:
        text = self.documents_by_path[path]
        ending = path.rsplit(".", 1)[-1]
        media = {"md": "markdown", "pdf": "pdf"}.get(ending, "code" if ending in _CODE else "text")
        heading = next((m for m in map(_HEADING.match, text.splitlines()) if m), None)
        return Document(
            doc_id=doc_id(SOURCE, path),
            source_id=SOURCE,
            doc_path=path,
            file_path=None,
            title=heading.group(2) if heading else path,
            media=media,
            content_hash=content_hash(text.encode()),
            byte_len=len(text.encode()),
            mtime_ns=0,
            parser_version="1",
            chunker_version="1",
            indexed_at=WHEN,
            verified_at=WHEN,
            text=text,
            of="extracted" if media == "pdf" else "source",
            code_lang=_CODE.get(ending),
            chunk_count=1,
        )


def _headings(before: Sequence[str]) -> tuple[str, ...]:
    path: list[tuple[int, str]] = []
    for line in before:
        if found := _HEADING.match(line):
            level = len(found.group(1))
            path = [one for one in path if one[0] < level]
            path.append((level, found.group(2)))
    return tuple(title for _, title in path)
