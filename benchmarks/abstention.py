"""How honestly kebab says that it doesn't know, and how well it quotes, on ClapNQ and MTRAG-UN.

All passages of both make one corpus. Each question is searched for and answered by `quote`:

- *gate*: what the bar of relevance alone would refuse; *abstention*: what `quote` refused;
- precision and recall are those of "not in the documents";
- *citation_precision*: the share of citations that name a passage the question is labelled with;
- *quote_accuracy* (ClapNQ): the share of quotes inside the sentences that annotators chose.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.passages import COLLECTIONS, filled_store
from benchmarks.questions import Passages, Question, clapnq, mtrag
from kebab_core import embed
from kebab_core.evaluation.golden import Golden, to_line
from kebab_core.evaluation.place import Place
from kebab_core.knowledge_base import KnowledgeBase
from kebab_core.settings.load import load
from kebab_core.wire.reports import EvalReport


def support() -> dict[str, tuple[str, ...]]:
    """The supporting sentences of ClapNQ's answerable questions."""
    found: dict[str, tuple[str, ...]] = {}
    path = COLLECTIONS / "clapnq" / "answerable.dev.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row: dict[str, Any] = json.loads(line)
        outputs = row["output"] if isinstance(row["output"], list) else [row["output"]]
        found[row["input"]] = tuple(
            sentence for output in outputs for sentence in output.get("selected_sentences", ())
        )
    return found


def golden(questions: Sequence[Question], *, answerable: bool) -> list[Golden]:
    sentences = support()
    return [
        Golden(
            question.text,
            tuple(Place(name) for name in sorted(question.own)) if answerable else (),
            answerable=answerable,
            support=sentences.get(question.text, ()) if answerable else (),
        )
        for question in questions
    ]


def print_report(report: EvalReport) -> None:
    names = list(dict.fromkeys(name for one in report.sets for name in one.measures))
    print(f"{'':<28}" + "".join(f"{one.name:>12}" for one in report.sets))
    for name in names:
        values = "".join(f"{one.measures.get(name, float('nan')):>12.3f}" for one in report.sets)
        print(f"{name:<28}{values}")
    print("\nthe gate at other bars, both sets")
    for point in report.curve[4:16]:
        row = "".join(f"  {name} {value:.3f}" for name, value in point.items() if name != "bar")
        print(f"{point['bar']:>5.2f}{row}")
    print("  ".join(f"{name} {ms:g} ms" for name, ms in report.latency_ms.items()))


def main() -> int:
    if not COLLECTIONS.is_dir():
        print(f"skipped: no test collections at {COLLECTIONS}")
        return 0
    passages: Passages = {}
    sets = {
        "ClapNQ": [
            *golden(clapnq("answerable", passages), answerable=True),
            *golden(clapnq("unanswerable", passages), answerable=False),
        ],
        "MTRAG-UN": [
            *golden(mtrag("ANSWERABLE", passages), answerable=True),
            *golden(mtrag("UNANSWERABLE", passages), answerable=False),
        ],
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        filled_store(folder / "corpus", list(passages.items()), embed.load(load(), fetch=True))
        files = {}
        for label, questions in sets.items():
            files[label] = folder / f"{label}.jsonl"
            files[label].write_text("\n".join(map(to_line, questions)), encoding="utf-8")
        with KnowledgeBase.open(load(data_dir=folder / "corpus")) as base:
            report = base.evaluate(files, model="quote")
    print(f"{len(passages)} passages, bar {report.settings['score_gate']}")
    print_report(report)
    return 0


if __name__ == "__main__":
    sys.exit(main())
