"""The corpus on disk: chunks, vectors, full text and documents in LanceDB."""

from kebab_core.store.lancedb_import import prepare
from kebab_core.store.records import DocumentState, Found, IndexMeta, StoredDocument, StoreStats
from kebab_core.store.sources import StoredSource
from kebab_core.store.store import Store

prepare()

__all__ = [
    "DocumentState",
    "Found",
    "IndexMeta",
    "Store",
    "StoreStats",
    "StoredDocument",
    "StoredSource",
]
