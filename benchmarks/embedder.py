"""The embedder alone: passages a second beside the bare graph, hot queries, a cold process.

The passages are runs of real prose cut to the same number of tokens each. The bare figure is ONNX
Runtime's own session on ids made beforehand, in batches of eight on all cores: what the graph
costs by itself, without tokens, threads or order.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from kebab_core import embed
from kebab_core.embed import sentence_transformers
from kebab_core.embed.base import Embedder
from kebab_core.embed.choice import choose
from kebab_core.embed.onnx_runtime import onnxruntime
from kebab_core.embed.ready import find_ready
from kebab_core.embed.tokens import TextTokenizer
from kebab_core.errors import EmbedderUnavailable
from kebab_core.paths import models_dir
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.load import load

TOKENS = 240
PASSAGES = int(os.environ.get("BENCH_PASSAGES", "192"))
ROUNDS = 3
QUESTION = "How long is the notice period after the first year?"
COLD = """
from kebab_core import embed
from kebab_core.settings.load import load
embed.load(load()).embed_query("How long is the notice period?")
import resource
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def passages(embedder: Embedder, count: int) -> list[str]:
    """Texts of `TOKENS` tokens each, out of the licences and READMEs of installed packages."""
    found: list[str] = []
    files = sorted(Path(np.__file__).parents[1].glob("*.dist-info/**/*"))
    for path in files:
        if len(found) >= count:
            break
        if path.is_file() and (path.suffix in {".md", ".txt", ".rst"} or path.name == "METADATA"):
            text = path.read_text("utf-8", "replace")[:20_000]
            spans = embedder.token_spans(text)
            found += [
                text[spans[i][0] : spans[i + TOKENS - 1][1]]
                for i in range(0, len(spans) - TOKENS, TOKENS)
            ]
    return (found * (count // max(len(found), 1) + 1))[:count]


def rate(run: Callable[[], object], count: int) -> float:
    """Items a second in the best of `ROUNDS` runs."""
    best = 0.0
    for _ in range(ROUNDS):
        started = time.perf_counter()
        run()
        best = max(best, count / (time.perf_counter() - started))
    return best


def hot_ms(embedder: Embedder, seconds: float = 3) -> tuple[float, float]:
    """Median and 95th percentile of one query in ms, over some seconds of queries."""
    embedder.embed_query(QUESTION)
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        started = time.perf_counter()
        embedder.embed_query(f"{QUESTION} {len(times)}")
        times.append((time.perf_counter() - started) * 1000)
    return statistics.median(times), sorted(times)[int(len(times) * 0.95)]


def bare_rate(configuration: Configuration, texts: list[str]) -> float | None:
    """The graph in ONNX Runtime's own hands."""
    built = find_ready(choose(configuration.settings.embedding), models_dir())
    if built is None:
        return None
    tokenizer = TextTokenizer(built.tokenizer, built.card.max_length)
    length = min(len(ids) for ids in map(tokenizer.ids, texts))
    ids = np.array([tokenizer.ids(text)[:length] for text in texts])
    session = onnxruntime().InferenceSession(str(built.model), providers=["CPUExecutionProvider"])

    def run() -> None:
        for i in range(0, len(ids), 8):
            part = ids[i : i + 8]
            session.run(None, {"input_ids": part, "attention_mask": np.ones_like(part)})

    return rate(run, len(texts))


def cold() -> tuple[float, float]:
    """Milliseconds and peak MB of a process that embeds one query: the median of five."""
    times, peaks = [], []
    for _ in range(6):
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", COLD], capture_output=True, text=True, check=True
        )
        times.append((time.perf_counter() - started) * 1000)
        peaks.append(int(done.stdout) / 1024)
    return statistics.median(times[1:]), statistics.median(peaks[1:])


def report(name: str, embedder: Embedder, texts: list[str]) -> float:
    own = rate(lambda: embedder.embed_passages(texts), len(texts))
    median, late = hot_ms(embedder)
    print(f"{name:34} {own:6.1f} passages/s")
    print(f"{'':34} {median:6.2f} ms a hot query, p95 {late:.2f} ms", flush=True)
    return own


def main() -> int:
    configuration = load()
    try:
        embedder = embed.load(configuration, fetch=True, notice=print)
    except EmbedderUnavailable as error:
        print(f"{error.message} {error.hint}", file=sys.stderr)
        return 1
    texts = passages(embedder, PASSAGES)
    print(f"{len(texts)} passages of {TOKENS} tokens, {os.cpu_count()} cores")
    milliseconds, peak = cold()
    print(
        f"{'a cold process, one query':34} {milliseconds:6.0f} ms  peak {peak:.0f} MB", flush=True
    )
    own = report(embedder.id, embedder, texts)
    print(f"{'':34} {_peak_mb():6.0f} MB peak of this process")
    bare = bare_rate(configuration, texts)
    if bare is not None:
        print(f"{'the bare graph':34} {bare:6.1f} passages/s, ratio {own / bare:.2f}", flush=True)
    if sentence_transformers.available() and choose(configuration.settings.embedding).is_default:
        library = load(overrides={"embedding.runtime": "sentence-transformers"})
        few = texts[: max(len(texts) // 4, 8)]
        report("the same by sentence-transformers", embed.load(library), few)
    return 0


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    raise SystemExit(main())
