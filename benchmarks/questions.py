"""Questions of the public collections, with the passages that each is labelled with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.passages import COLLECTIONS
from kebab_core.retrieve.follow_up import search_query

Passages = dict[str, str]


@dataclass(frozen=True)
class Question:
    text: str
    own: frozenset[str]
    """Names of the passages it is labelled with."""


def clapnq(kind: str, passages: Passages) -> list[Question]:
    questions = []
    for row in _lines(COLLECTIONS / "clapnq" / f"{kind}.dev.jsonl"):
        named = {f"clapnq-{row['id']}-{i}": p["text"] for i, p in enumerate(row["passages"])}
        passages |= named
        questions.append(Question(row["input"], frozenset(named)))
    return questions


def mtrag(kind: str, passages: Passages, *, with_history: bool = True) -> list[Question]:
    """Each last question, with what it leans on unless told otherwise."""
    questions = []
    for row in _lines(COLLECTIONS / "mtrag_un" / "reference.dev.jsonl"):
        named = {f"mtrag-{context['document_id']}": context["text"] for context in row["contexts"]}
        passages |= named
        if row["answerability"] == [kind]:
            query: str | None = None
            for turn in row["input"]:
                if turn["speaker"] == "user":
                    query = search_query(turn["text"], query if with_history else None)
            questions.append(Question(query or "", frozenset(named)))
    return questions


def squad(name: str, passages: Passages, sample: int | None = None) -> list[Question]:
    """All of them, or about `sample`, evenly."""
    data: dict[str, Any] = json.loads((COLLECTIONS / name).read_text(encoding="utf-8"))
    questions = []
    for article in data["data"]:
        for paragraph in article["paragraphs"]:
            own = f"{name}-{len(passages)}"
            passages[own] = paragraph["context"]
            questions += [Question(qa["question"], frozenset([own])) for qa in paragraph["qas"]]
    return questions if sample is None else questions[:: max(1, len(questions) // sample)]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)
