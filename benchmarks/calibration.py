"""Fit the curves of `kebab_core.retrieve.relevance` and show what each bar refuses.

Two collections make one corpus of passages: ClapNQ and XQuAD (English). A question's own passage
answers it; the nearest others, and every passage for a question of neither, do not.

- *Answerable*: ClapNQ's and XQuAD's questions.
- *Unanswerable, near*: ClapNQ's questions whose passage is of the right article but doesn't answer.
- *Unanswerable, far*: XQuAD's questions asked of ClapNQ's passages alone.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.passages import COLLECTIONS, filled_store
from kebab_core import embed
from kebab_core.embed.base import Embedder
from kebab_core.retrieve import relevance, search
from kebab_core.settings.load import load
from kebab_core.store import Store
from kebab_core.text.terms import query_terms
from kebab_core.types import Filters, Scope, SearchOptions

Floats = NDArray[np.float64]
_NEGATIVES = 3
_XQUAD_QUESTIONS = 300
BARS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6)


@dataclass(frozen=True)
class Question:
    text: str
    passage: str


def clapnq(kind: str) -> Iterator[tuple[Question, str]]:
    """Questions of one kind with the text of their passage."""
    path = COLLECTIONS / "clapnq" / f"{kind}.dev.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Question(row["input"], f"clapnq-{row['id']}"), row["passages"][0]["text"]


def xquad() -> tuple[list[Question], list[tuple[str, str]]]:
    data: dict[str, Any] = json.loads(
        (COLLECTIONS / "xquad" / "xquad.en.json").read_text(encoding="utf-8")
    )
    passages: list[tuple[str, str]] = []
    questions: list[Question] = []
    for article in data["data"]:
        for paragraph in article["paragraphs"]:
            name = f"xquad-{len(passages)}"
            passages.append((name, paragraph["context"]))
            questions += [Question(qa["question"], name) for qa in paragraph["qas"]]
    step = max(1, len(questions) // _XQUAD_QUESTIONS)
    return questions[::step], passages


def logistic(x: Floats, y: Floats, rounds: int = 50) -> relevance.Curve:
    """The curve of one variable that makes the labels `y` (0 or 1) likeliest: Newton's method."""
    design = np.stack([x, np.ones_like(x)], axis=1)
    weights = np.zeros(2)
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-design @ weights))
        slope = design.T @ (y - p)
        bend = design.T @ (design * (p * (1 - p))[:, None]) + 1e-6 * np.eye(2)
        weights += np.linalg.solve(bend, slope)
    steepness, offset = (float(weight) for weight in weights)
    return relevance.Curve(middle=-offset / steepness, steepness=steepness)


def pairs(
    store: Store, embedder: Embedder, questions: Sequence[Question]
) -> Iterator[tuple[float | None, float | None, bool]]:
    """(cosine, share of terms, whether it answers) of each question's own and nearest passages."""
    for question in questions:
        terms = query_terms(question.text)
        counts, total = store.document_frequencies(terms)
        weights = {term: relevance.idf(count, total) for term, count in counts.items()}
        nothing = (Filters(), Scope())
        vector = store.search_vector(embedder.embed_query(question.text), 20, *nothing)
        cosines = {found.chunk.doc_path: found.score for found in vector}
        words = store.search_terms(terms, 20, *nothing)
        shares = {
            found.chunk.doc_path: relevance.found_share(found.terms, weights)
            for found in [*words, *vector]
        }
        others = [found.chunk.doc_path for found in vector if found.chunk.doc_path]
        others = [path for path in others if path != question.passage][:_NEGATIVES]
        for path in [question.passage, *others]:
            yield cosines.get(path), shares.get(path), path == question.passage


def top_relevance(store: Store, embedder: Embedder, questions: Sequence[Question]) -> Floats:
    """The best relevance of the pack for each question."""
    tops = []
    for question in questions:
        found = search(store, embedder, question.text, SearchOptions(k=8), stale_after_days=30)
        tops.append(max((hit.relevance or 0.0 for hit in found.hits), default=0.0))
    return np.array(tops)


def main() -> int:
    if not COLLECTIONS.is_dir():
        print(f"skipped: no test collections at {COLLECTIONS}")
        return 0
    embedder = embed.load(load(), fetch=True)
    answerable = list(clapnq("answerable"))
    near = list(clapnq("unanswerable"))
    questions, paragraphs = xquad()
    nq = [(question.passage, text) for question, text in [*answerable, *near]]
    with tempfile.TemporaryDirectory() as folder:
        everything = filled_store(Path(folder) / "all", [*nq, *paragraphs], embedder)
        only_nq = filled_store(Path(folder) / "nq", nq, embedder)
        asked = [question for question, _ in answerable] + questions
        rows = list(pairs(everything, embedder, asked))
        for label, column in (("COSINE", 0), ("SHARE", 1)):
            known = [(row[column], row[2]) for row in rows if row[column] is not None]
            x = np.array([value for value, _ in known], dtype=np.float64)
            y = np.array([float(right) for _, right in known])
            curve = logistic(x, y)
            print(
                f"{label} = Curve(middle={curve.middle:.3f}, steepness={curve.steepness:.2f})"
                f"  from {len(known)} pairs"
            )
        groups = {
            "answerable": top_relevance(everything, embedder, asked),
            "near": top_relevance(everything, embedder, [question for question, _ in near]),
            "far": top_relevance(only_nq, embedder, questions),
        }
    print(f"\n{'bar':>5}  refused of {'answerable':>10} {'near':>6} {'far':>6}")
    for bar in sorted({*BARS, relevance.CALIBRATED_GATE}):
        shares = {name: float((tops < bar).mean()) for name, tops in groups.items()}
        mark = "  <- CALIBRATED_GATE" if bar == relevance.CALIBRATED_GATE else ""
        print(
            f"{bar:>5.2f}             {shares['answerable']:>10.1%} {shares['near']:>6.1%} "
            f"{shares['far']:>6.1%}{mark}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
