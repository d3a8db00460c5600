"""Judged questions summed up as `eval_report.v1`, and two reports compared."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from kebab_core.evaluation.judging import Judged
from kebab_core.evaluation.measures import mean, percentile, precision_and_recall
from kebab_core.wire.reports import EvalItem, EvalReport, EvalSet

BARS = tuple(step / 20 for step in range(21))
_PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


def report(
    sets: Mapping[str, Sequence[Judged]], settings: Mapping[str, Any], bar: float
) -> EvalReport:
    """`bar` is the one in use: what the gate alone would refuse is measured at it."""
    everything = [judged for one in sets.values() for judged in one]
    return EvalReport(
        run_id=uuid.uuid4().hex,
        settings=dict(settings),
        sets=[
            EvalSet(name=name, questions=len(judged), measures=measures(judged, bar))
            for name, judged in sets.items()
        ],
        latency_ms=_latencies(everything),
        curve=[_at(everything, bar) for bar in BARS],
        items=[_item(name, judged) for name, one in sets.items() for judged in one],
    )


def measures(judged: Sequence[Judged], bar: float) -> dict[str, float]:
    """Means over the questions that each measure is about; those about none are left out."""
    found: dict[str, float] = {}
    labelled = [one.ranking for one in judged if one.ranking]
    for name in labelled[0] if labelled else ():
        found[name] = mean([one[name] for one in labelled])
    at_bar = _at(judged, bar)
    found |= {f"gate_{name}": value for name, value in at_bar.items() if name != "bar"}
    asked = [one for one in judged if one.abstained is not None]
    if asked:
        said = [bool(one.abstained) for one in asked]
        found |= _refusals("abstention", said, [not one.golden.answerable for one in asked])
    for name, values in (
        ("citation_precision", [one.citations_right for one in judged]),
        ("quote_accuracy", [one.quotes_right for one in judged]),
    ):
        if known := [value for value in values if value is not None]:
            found[name] = mean(known)
    return {name: round(value, 4) for name, value in found.items()}


def _at(judged: Sequence[Judged], bar: float) -> dict[str, float]:
    """What a gate at `bar` alone would refuse."""
    said = [one.top is None or one.top < bar for one in judged]
    true = [not one.golden.answerable for one in judged]
    found = _refusals("", said, true)
    return {"bar": round(bar, 4), **{name: round(value, 4) for name, value in found.items()}}


def _refusals(name: str, said: Sequence[bool], true: Sequence[bool]) -> dict[str, float]:
    """Precision and recall of "not in the documents", and answerable questions refused."""
    precision, recall = precision_and_recall(said, true)
    answerable = [
        refused for refused, unanswerable in zip(said, true, strict=True) if not unanswerable
    ]
    prefix = f"{name}_" if name else ""
    return {
        f"{prefix}precision": precision,
        f"{prefix}recall": recall,
        f"{prefix}wrongly_refused": mean([float(one) for one in answerable]),
    }


def _latencies(judged: Sequence[Judged]) -> dict[str, float]:
    taken = {"search": [one.search_ms for one in judged]}
    answers = [one.answer for one in judged if one.answer is not None]
    taken["ask"] = [float(answer.usage.latency_ms) for answer in answers]
    first = [answer.usage.first_token_ms for answer in answers]
    taken["first_token"] = [float(ms) for ms in first if ms is not None]
    return {
        f"{name}_{label}": round(percentile(values, share), 1)
        for name, values in taken.items()
        if values
        for label, share in _PERCENTILES.items()
    }


def _item(name: str, judged: Judged) -> EvalItem:
    return EvalItem(
        set=name,
        question=judged.golden.question,
        answerable=judged.golden.answerable,
        top=None if judged.top is None else round(judged.top, 4),
        measures={key: round(value, 4) for key, value in judged.ranking.items()},
        abstained=judged.abstained,
        citation_precision=judged.citations_right,
        quote_accuracy=judged.quotes_right,
    )
