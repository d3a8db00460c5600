"""Warm hybrid search beside what it can't do without: bare LanceDB calls and the query's vector."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from benchmarks.passages import COLLECTIONS, filled_store
from kebab_core import embed
from kebab_core.retrieve import search
from kebab_core.settings.load import load
from kebab_core.text.terms import query_terms
from kebab_core.types import SearchOptions

ROUNDS = 60
K = 8
DEPTH = 40
"""Candidates of each channel, as many as `search` takes for K."""


def medians_ms(steps: dict[str, Callable[[str], object]], queries: list[str]) -> dict[str, float]:
    """The median of each step. They take turns, so that what else the machine does hits all."""
    times: dict[str, list[float]] = {name: [] for name in steps}
    for warm_up in (True, False):
        for query in queries[:5] if warm_up else queries:
            for name, step in steps.items():
                started = time.perf_counter()
                step(query)
                if not warm_up:
                    times[name].append(time.perf_counter() - started)
    return {name: statistics.median(taken) * 1000 for name, taken in times.items()}


def main() -> int:
    if not COLLECTIONS.is_dir():
        print(f"skipped: no test collections at {COLLECTIONS}")
        return 0
    # After the store, which keeps Rust's warnings off the screen.
    import lancedb
    from lancedb.query import MatchQuery

    data = json.loads((COLLECTIONS / "xquad" / "xquad.en.json").read_text(encoding="utf-8"))
    paragraphs = [p for article in data["data"] for p in article["paragraphs"]]
    queries = [p["qas"][0]["question"] for p in paragraphs][:ROUNDS]
    embedder = embed.load(load(), fetch=True)
    with tempfile.TemporaryDirectory() as folder:
        passages = [(f"{i}", p["context"]) for i, p in enumerate(paragraphs)]
        store = filled_store(Path(folder), passages, embedder)
        vectors = {query: embedder.embed_query(query) for query in queries}
        words = {query: MatchQuery(" ".join(query_terms(query)), "terms") for query in queries}
        # As a script of a few lines would search: no filters, no documents, no fusion.
        connection = lancedb.connect(
            str(Path(folder) / "store"), read_consistency_interval=timedelta(0)
        )
        table = connection.open_table("chunks")

        def bare_vector(query: str) -> object:
            found = table.search(vectors[query], vector_column_name="vector")
            found = found.distance_type("cosine").select(["id", "text", "_distance"])
            return found.limit(DEPTH).to_list()

        def bare_words(query: str) -> object:
            found = table.search(words[query], query_type="fts")
            return found.select(["id", "text", "_score"]).limit(DEPTH).to_list()

        def whole(query: str) -> object:
            return search(store, embedder, query, SearchOptions(k=K), stale_after_days=30)

        parts = medians_ms(
            {
                "embed the query": embedder.embed_query,
                "bare vector search": bare_vector,
                "bare full-text search": bare_words,
                "warm hybrid search": whole,
            },
            queries,
        )
    ours = parts.pop("warm hybrid search")
    for name, ms in parts.items():
        print(f"{name:<28}{ms:8.1f} ms")
    bare = sum(parts.values())
    print(f"{'their sum':<28}{bare:8.1f} ms")
    print(f"{'warm hybrid search':<28}{ours:8.1f} ms  {ours / bare:.2f} × their sum")
    return 0


if __name__ == "__main__":
    sys.exit(main())
