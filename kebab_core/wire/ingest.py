"""`ingest_progress.v1` and `ingest_report.v1`."""

from __future__ import annotations

from typing import ClassVar, Literal

from kebab_core.wire.base import Timestamp, WireModel

AssetOutcome = Literal["new", "updated", "unchanged", "moved", "removed", "skipped", "error"]


class Counts(WireModel):
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


class IngestProgress(WireModel):
    """One line of `kebab ingest --json` on stderr. The last is `completed` or `aborted`."""

    optional: ClassVar[frozenset[str]] = frozenset(
        {"source_id", "doc_path", "result", "chunks", "reason", "ms", "roots", "text", "to_read"}
        | {"moved_from"}
    )

    schema_version: Literal["ingest_progress.v1"] = "ingest_progress.v1"
    ts: Timestamp
    kind: Literal[
        "scan_started",
        "scan_completed",
        "asset_started",
        "asset_finished",
        "embed_batch_finished",
        "notice",
        "completed",
        "aborted",
    ]
    counts: Counts = Counts()
    roots: list[str] | None = None
    to_read: int | None = None
    source_id: str | None = None
    doc_path: str | None = None
    result: AssetOutcome | None = None
    chunks: int | None = None
    reason: str | None = None
    text: str | None = None
    ms: int | None = None
    moved_from: str | None = None


class IngestItem(WireModel):
    optional: ClassVar[frozenset[str]] = frozenset({"moved_from"})

    kind: AssetOutcome
    source_id: str
    doc_path: str
    chunks: int | None
    reason: str | None = None
    warnings: list[str] = []
    ms: int
    moved_from: str | None = None


class IngestReport(WireModel):
    schema_version: Literal["ingest_report.v1"] = "ingest_report.v1"
    scope: list[str]
    scanned: int
    new: int
    updated: int
    unchanged: int
    removed: int
    skipped: int
    errors: int
    duration_ms: int
    chunks_indexed: int
    embeddings_computed: int
    embeddings_reused: int
    skipped_by_extension: dict[str, int]
    skip_reasons: dict[str, int]
    items: list[IngestItem] | None
    moved: int = 0
    warnings: list[str] = []
    dry_run: bool = False
    aborted: str | None = None
