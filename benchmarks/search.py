"""Warm hybrid search beside what it can't do without: bare LanceDB calls and the query's vector."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.passages import COLLECTIONS, filled_store
from kebab_core import embed
from kebab_core.retrieve import search
from kebab_core.settings.load import load
from kebab_core.text.terms import query_terms
from kebab_core.types import Filters, Scope, SearchOptions

ROUNDS = 60
K = 8


def p50_ms(once: Callable[[str], object], queries: list[str]) -> float:
    once(queries[0])
    times = []
    for i in range(ROUNDS):
        started = time.perf_counter()
        once(queries[i % len(queries)])
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


def main() -> int:
    if not COLLECTIONS.is_dir():
        print(f"skipped: no test collections at {COLLECTIONS}")
        return 0
    data = json.loads((COLLECTIONS / "xquad" / "xquad.en.json").read_text(encoding="utf-8"))
    paragraphs = [p for article in data["data"] for p in article["paragraphs"]]
    queries = [p["qas"][0]["question"] for p in paragraphs][:ROUNDS]
    embedder = embed.load(load(), fetch=True)
    everything, owner = Filters(), Scope()
    with tempfile.TemporaryDirectory() as folder:
        passages = [(f"{i}", p["context"]) for i, p in enumerate(paragraphs)]
        store = filled_store(Path(folder), passages, embedder)
        vectors = {query: embedder.embed_query(query) for query in queries}
        parts = {
            "embed the query": p50_ms(embedder.embed_query, queries),
            "bare vector search": p50_ms(
                lambda q: store.search_vector(vectors[q], 40, everything, owner), queries
            ),
            "bare full-text search": p50_ms(
                lambda q: store.search_terms(query_terms(q), 40, everything, owner), queries
            ),
        }
        whole = p50_ms(
            lambda q: search(store, embedder, q, SearchOptions(k=K), stale_after_days=30), queries
        )
    for name, ms in parts.items():
        print(f"{name:<28}{ms:8.1f} ms")
    bare = sum(parts.values())
    print(f"{'their sum':<28}{bare:8.1f} ms")
    print(f"{'warm hybrid search':<28}{whole:8.1f} ms  {whole / bare:.2f} × their sum")
    return 0


if __name__ == "__main__":
    sys.exit(main())
