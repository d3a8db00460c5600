"""`schema.v1`: what this build and this corpus hold."""

from __future__ import annotations

from kebab_core import __version__, embed
from kebab_core.retrieve.staleness import Staleness
from kebab_core.settings.load import Configuration
from kebab_core.store import Store
from kebab_core.wire.export import TYPES
from kebab_core.wire.reports import CorpusStats, SchemaReport


def schema_report(configuration: Configuration, store: Store) -> SchemaReport:
    """Counts of the corpus (zero where there is none) and the models it was made with."""
    settings = configuration.settings
    exists = store.exists()
    meta = store.meta if exists else None
    state = configuration.state
    return SchemaReport(
        kebab_version=__version__,
        wire=[f"{name}.v1" for name in TYPES],
        capabilities={
            "vector_search": meta is not None and meta.embedding_id is not None,
            "embedding_model_installed": bool(embed.installed(configuration)),
        },
        models={
            "embedding": meta.embedding_id if meta is not None else None,
            "ask": settings.models.ask.model or state.remembered_model("ask"),
        },
        stats=_stats(store, settings.workspace.stale_after_days) if exists else _NOTHING,
    )


_NOTHING = CorpusStats(
    documents=0,
    chunks=0,
    by_media={},
    by_lang={},
    bytes={},
    stale=0,
    failing=0,
    corpus_revision=0,
)


def _stats(store: Store, stale_after_days: int) -> CorpusStats:
    stats = store.stats()
    staleness = Staleness(stale_after_days)
    stale = sum(staleness.of(document) for document in store.documents())
    return CorpusStats(
        documents=stats.documents,
        chunks=stats.chunks,
        by_media=dict(stats.by_media),
        by_lang=dict(stats.by_lang),
        bytes={"store": stats.bytes},
        stale=stale,
        failing=stats.failing,
        last_ingest_at=stats.last_ingest_at,
        corpus_revision=stats.revision,
    )
