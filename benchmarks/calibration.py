"""Fit the curves of `kebab_core.retrieve.relevance` and show what each bar refuses.

ClapNQ, MTRAG-UN and XQuAD (English) make one corpus of passages. For each question the best
cosine and the best share of words among the eight passages found are what the curves are fitted
to, both kinds of question weighing the same.

Answerable
    ClapNQ's and MTRAG-UN's answerable questions (the latter with what they lean on), and some of
    XQuAD's.
Not answerable
    *near*: questions whose labelled passages are of the right article, but don't answer (ClapNQ),
    and MTRAG-UN's unanswerable ones; *far*: ClapNQ's and XQuAD's answerable questions with their
    own passages left out of what was found.

A second table is for search by words alone, in the languages that the default model can't read
too, each in a corpus of its own.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.passages import COLLECTIONS, filled_store
from benchmarks.questions import Passages, Question, clapnq, mtrag, squad
from kebab_core import embed
from kebab_core.embed.base import Embedder
from kebab_core.retrieve import search
from kebab_core.retrieve.coverage import Coverage
from kebab_core.retrieve.relevance import CALIBRATED_GATE, COSINE, SHARE, SHARE_ALONE, Curve
from kebab_core.settings.load import load
from kebab_core.store import Store
from kebab_core.testing import HashEmbedder
from kebab_core.text.terms import index_terms
from kebab_core.types import SearchMode, SearchOptions

Floats = NDArray[np.float64]

PACK = 8
BARS = (0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
SAMPLE = 250
ALONE_REFUSED = 0.08
"""Share of answerable questions that search by words alone may refuse at the bar."""


def evidence(
    store: Store,
    embedder: Embedder | None,
    questions: Sequence[Question],
    *,
    without_own: bool = False,
) -> Floats:
    """(best cosine, best share of words) of each question's pack: shape (questions, 2)."""
    mode: SearchMode = "hybrid" if embedder else "lexical"
    rows = []
    for question in questions:
        options = SearchOptions(k=PACK + len(question.own), mode=mode)
        hits = search(store, embedder, question.text, options, stale_after_days=30).hits
        if without_own:
            hits = tuple(hit for hit in hits if hit.chunk.doc_path not in question.own)
        coverage = Coverage(store, question.text)
        pack = hits[:PACK]
        shares = [coverage.share(index_terms(hit.chunk.text).split()) or 0.0 for hit in pack]
        cosines = [hit.vector_score for hit in pack if hit.vector_score is not None]
        rows.append((max(cosines, default=0.0), max(shares, default=0.0)))
    return np.array(rows)


def logistic(positive: Floats, negative: Floats, rounds: int = 50) -> Curve:
    """The likeliest curve of one variable, both classes weighing the same: Newton's method."""
    x = np.concatenate([positive, negative])
    y = np.concatenate([np.ones(len(positive)), np.zeros(len(negative))])
    weight = np.where(y == 1, 1 / len(positive), 1 / len(negative)) * len(x) / 2
    design = np.stack([x, np.ones_like(x)], axis=1)
    found = np.zeros(2)
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-design @ found))
        slope = design.T @ (weight * (y - p))
        bend = design.T @ (design * (weight * p * (1 - p))[:, None]) + 1e-6 * np.eye(2)
        found += np.linalg.solve(bend, slope)
    steepness, offset = (float(value) for value in found)
    return Curve(middle=-offset / steepness, steepness=steepness)


def on(curve: Curve, x: Floats) -> Floats:
    return np.array([curve.at(float(value)) for value in x])


def table(title: str, groups: dict[str, Floats]) -> None:
    print(f"\n{title}: refused at each bar")
    print("  bar" + "".join(f"{name:>14}" for name in groups))
    for bar in sorted({*BARS, CALIBRATED_GATE}):
        shares = "".join(f"{float((top < bar).mean()):>14.0%}" for top in groups.values())
        print(f"{bar:>5.2f}{shares}{'  <- CALIBRATED_GATE' if bar == CALIBRATED_GATE else ''}")


def both_channels(folder: Path) -> float:
    """Print the fitted curves and their table; returns the share that words alone must reach."""
    passages: Passages = {}
    answerable = {
        "ClapNQ": clapnq("answerable", passages),
        "MTRAG-UN": mtrag("ANSWERABLE", passages),
        "XQuAD": squad("xquad/xquad.en.json", passages, SAMPLE),
    }
    near = {
        "ClapNQ near": clapnq("unanswerable", passages),
        "MTRAG near": mtrag("UNANSWERABLE", passages),
    }
    embedder = embed.load(load(), fetch=True)
    store = filled_store(folder / "english", list(passages.items()), embedder)
    positive = {name: evidence(store, embedder, asked) for name, asked in answerable.items()}
    negative = {name: evidence(store, embedder, asked) for name, asked in near.items()}
    for name in ("ClapNQ", "XQuAD"):
        negative[f"{name} far"] = evidence(store, embedder, answerable[name], without_own=True)
    yes, no = np.concatenate([*positive.values()]), np.concatenate([*negative.values()])
    print(f"{len(passages)} passages, {len(yes)} answerable and {len(no)} unanswerable questions")
    for name, column, now in (("COSINE", 0, COSINE), ("SHARE", 1, SHARE)):
        curve = logistic(yes[:, column], no[:, column])
        print(f"{name} fitted: ({curve.middle:.3f}, {curve.steepness:.1f}); in use: {tuple(now)}")
    tops = {
        name: np.maximum(on(COSINE, best[:, 0]), on(SHARE, best[:, 1]))
        for name, best in (positive | negative).items()
    }
    table("Both channels", tops)
    return float(np.quantile(yes[:, 1], ALONE_REFUSED))


def words_alone(folder: Path, least: float) -> None:
    # At the bar, SHARE_ALONE must let `least` through: its middle follows from that.
    logit = float(np.log(CALIBRATED_GATE / (1 - CALIBRATED_GATE)))
    middle = least - logit / SHARE.steepness
    print(f"\nSHARE_ALONE fitted: ({middle:.3f}, {SHARE.steepness}); in use: {tuple(SHARE_ALONE)}")
    groups: dict[str, Floats] = {}
    for label, name in (
        ("en", "xquad/xquad.en.json"),
        ("de", "xquad/xquad.de.json"),
        ("zh", "xquad/xquad.zh.json"),
        ("ko", "korquad/KorQuAD_v1.0_dev.json"),
    ):
        passages: Passages = {}
        questions = squad(name, passages, SAMPLE)
        # Vectors are never looked at here: any will do.
        store = filled_store(folder / label, list(passages.items()), HashEmbedder(8))
        groups[label] = on(SHARE_ALONE, evidence(store, None, questions)[:, 1])
        removed = evidence(store, None, questions, without_own=True)
        groups[f"{label} far"] = on(SHARE_ALONE, removed[:, 1])
    table("Words alone", groups)


def main() -> int:
    if not COLLECTIONS.is_dir():
        print(f"skipped: no test collections at {COLLECTIONS}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        words_alone(Path(folder), both_channels(Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
