"""The core's own vocabulary: frozen values that pass between its packages.

Nothing here is promised to the outside; `kebab_core.wire` is. Offsets are character
offsets into a document's stored text; line and page numbers are 1-based and inclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal, TypeAlias

Of: TypeAlias = Literal["source", "extracted"]
SearchMode: TypeAlias = Literal["lexical", "vector", "hybrid"]
ScoreKind: TypeAlias = Literal["rrf", "convex", "bm25", "cosine", "rerank"]
Origin: TypeAlias = Literal["chat", "cli", "mcp", "http"]
AskMode: TypeAlias = Literal["auto", "single", "agentic"]
ToolName: TypeAlias = Literal["corpus", "open", "list", "web", "fetch"]
AssetResult: TypeAlias = Literal[
    "new", "updated", "unchanged", "moved", "removed", "skipped", "error"
]
TurnState: TypeAlias = Literal["answered", "abstained", "cancelled", "failed", "running"]


# --- what a file becomes -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a document's structure, `text[start:end]`, in reading order.

    `atomic` blocks (tables, code fences, functions) are split only when they exceed a chunk
    by themselves. `heading_path` runs from the outermost heading to the nearest; a heading's
    own block carries its own title last. `context` is what it needs to be understood and doesn't
    say itself: the names of a table's columns. `cell` is a range of a sheet (`A2:F2`) or the number
    of a notebook's cell, `sheet` a name, `slide` a number from 1.
    """

    kind: Literal["heading", "paragraph", "list", "table", "code", "quote", "page"]
    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    symbol: str | None = None
    atomic: bool = False
    context: str | None = None
    cell: str | None = None
    sheet: str | None = None
    slide: int | None = None


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reader made of one file: its text exactly as decoded or extracted, and structure.

    `page_starts[i]` is the offset at which page i+1 begins (empty where there are no pages).
    """

    text: str
    media: str
    parser_version: str
    of: Of = "source"
    blocks: tuple[Block, ...] = ()
    title: str | None = None
    lang: str | None = None
    code_lang: str | None = None
    tags: tuple[str, ...] = ()
    status: str | None = None
    author: str | None = None
    page_starts: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A document as stored. `error` is set, and `chunk_count` 0, where reading it failed."""

    doc_id: str
    source_id: str
    doc_path: str
    file_path: str | None
    title: str
    media: str
    content_hash: str
    byte_len: int
    mtime_ns: int
    parser_version: str
    chunker_version: str
    indexed_at: datetime
    verified_at: datetime
    text: str = ""
    of: Of = "source"
    lang: str | None = None
    code_lang: str | None = None
    tags: tuple[str, ...] = ()
    status: str | None = None
    author: str | None = None
    page_starts: tuple[int, ...] = ()
    embedding_id: str | None = None
    chunk_count: int = 0
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """`document.text[start:end]`, with where that is.

    `embed_text` is what is embedded: title and headings, then the cleaned text; never the
    file's name. `embed_hash` names it in the vector cache. `tokens` counts `embed_text` with
    the embedder's own tokenizer.
    """

    chunk_id: str
    doc_id: str
    source_id: str
    doc_path: str
    ordinal: int
    text: str
    start: int
    end: int
    line_start: int
    line_end: int
    media: str
    of: Of = "source"
    page: int | None = None
    cell: str | None = None
    sheet: str | None = None
    slide: int | None = None
    heading_path: tuple[str, ...] = ()
    symbol: str | None = None
    lang: str | None = None
    code_lang: str | None = None
    embed_text: str = ""
    embed_hash: str = ""
    tokens: int = 0


# --- what a search finds -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk (or a web passage) with how it was found.

    `score` ranks and means nothing alone. `relevance` (0..1) estimates that the passage
    answers; None where no channel could read the query. `n` is the passage's number in a run.
    """

    chunk: Chunk
    rank: int
    score: float
    score_kind: ScoreKind
    title: str
    indexed_at: datetime
    stale: bool
    chunker_version: str
    index_version: int
    file_path: str | None = None
    embedding_id: str | None = None
    relevance: float | None = None
    fusion_score: float | None = None
    lexical_score: float | None = None
    lexical_rank: int | None = None
    vector_score: float | None = None
    vector_rank: int | None = None
    rerank_score: float | None = None
    kind: Literal["local", "web"] = "local"
    url: str | None = None
    n: int | None = None

    def numbered(self, n: int) -> Hit:
        """The same hit under the run's number `n`."""
        return replace(self, n=n)


@dataclass(frozen=True, slots=True)
class Scope:
    """Who is asking. `readers` None means the owner: everything is visible."""

    readers: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Filters:
    """Narrowing applied inside the store query, never after the top k. Empty means no limit.

    `changed_from` and `changed_to` are days, both included, of a file's last change. A passage
    must hold each of `phrases`: its words side by side, in that order.
    """

    source_ids: tuple[str, ...] = ()
    doc_ids: tuple[str, ...] = ()
    path_globs: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    langs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    changed_from: date | None = None
    changed_to: date | None = None
    phrases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchOptions:
    k: int = 8
    mode: SearchMode = "hybrid"
    filters: Filters = Filters()
    scope: Scope = Scope()
    explain: bool = False


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in rank order. `limited`: a channel that was asked for did not run.

    `notes` explain how the channels were weighed.
    """

    hits: tuple[Hit, ...]
    mode: SearchMode
    limited: bool = False
    warnings: tuple[str, ...] = ()
    revision: int = 0
    notes: tuple[str, ...] = ()


# --- asking --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AskOptions:
    """What one ask may do. None takes the setting of the same name.

    `may_go_on` is asked before every tool call, in the run's thread: an asker whose permission
    runs out ends the run with PermissionDenied.
    """

    k: int | None = None
    mode: AskMode | None = None
    search_mode: SearchMode | None = None
    filters: Filters = Filters()
    scope: Scope = Scope()
    session_id: str | None = None
    new_session: bool = False
    origin: Origin = "cli"
    save: bool = True
    web: bool | None = None
    chance: bool = False
    followups: bool | None = None
    model: str | None = None
    timeout_s: float | None = None
    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    may_go_on: Callable[[], bool] | None = None


# --- ingesting -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IngestOptions:
    """What an ingest may do. `prune` allows a removal of most of a source. `anew` makes a whole
    new index beside the one that is searched, and puts it in its place at the end."""

    force: bool = False
    anew: bool = False
    dry_run: bool = False
    prune: bool = False
    include_items: bool = True


@dataclass(frozen=True, slots=True)
class GivenText:
    """A text that is in no file, such as one that was piped in. The same title replaces it.

    It is read as the title's suffix says, as Markdown where there is none that kebab knows.
    """

    title: str
    data: bytes


@dataclass(frozen=True, slots=True)
class IngestCounts:
    scanned: int = 0
    new: int = 0
    updated: int = 0
    unchanged: int = 0
    moved: int = 0
    removed: int = 0
    skipped: int = 0
    errors: int = 0
    chunks_indexed: int = 0
    embeddings_computed: int = 0
    embeddings_reused: int = 0


@dataclass(frozen=True, slots=True)
class ScanStarted:
    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScanCompleted:
    counts: IngestCounts
    to_read: int


@dataclass(frozen=True, slots=True)
class AssetStarted:
    source_id: str
    doc_path: str


@dataclass(frozen=True, slots=True)
class AssetFinished:
    """`moved_from` is the path that a moved document had, within its source of then."""

    source_id: str
    doc_path: str
    result: AssetResult
    chunks: int | None = None
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    ms: int = 0
    moved_from: str | None = None


@dataclass(frozen=True, slots=True)
class EmbedBatchFinished:
    chunks: int
    ms: int
    counts: IngestCounts


@dataclass(frozen=True, slots=True)
class IngestCompleted:
    counts: IngestCounts


@dataclass(frozen=True, slots=True)
class IngestAborted:
    counts: IngestCounts
    reason: str


@dataclass(frozen=True, slots=True)
class IngestNotice:
    """Something said aloud once: a model being fetched, a channel that is off."""

    text: str


IngestEvent: TypeAlias = (
    ScanStarted
    | ScanCompleted
    | AssetStarted
    | AssetFinished
    | EmbedBatchFinished
    | IngestNotice
    | IngestCompleted
    | IngestAborted
)


# --- sessions ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HistoryTurn:
    """An earlier exchange as the model may see it: only answered turns have an `answer`."""

    question: str
    answer: str | None
    state: TurnState


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which chat model answers and how that was decided."""

    provider: str
    model: str
    how: Literal["flag", "settings", "remembered", "found", "quote"]
    note: str | None = None

    @property
    def ref(self) -> str:
        return self.provider if not self.model else f"{self.provider}:{self.model}"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call. `usd` is None unless the server itself reported a cost."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = None


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A row of the ledger: a call that began at `at`, in the place `role` that calls models.

    `usd` None: nobody knows what it cost, as of a call that was cancelled.
    """

    at: datetime
    role: str
    provider: str
    model: str
    ms: int
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = None
    usd_source: Literal["reported", "table", "none"] = "none"


def heading_label(parts: Sequence[str]) -> str:
    """A heading path as people read it: `Leave › Notice`."""
    return " › ".join(parts)
