"""Whether the passages look as if they answered at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from kebab_core.types import Hit


@dataclass(frozen=True, slots=True)
class Gate:
    """`bar` and `top` are on the scale of `relevance`; `top` None: no passage has one."""

    bar: float
    top: float | None

    @property
    def is_weak(self) -> bool:
        """Nothing above the bar, or nothing that any channel could judge."""
        return self.top is None or self.top < self.bar


def bar(score_gate: float | Literal["calibrated"]) -> float:
    """The setting as a number."""
    if score_gate == "calibrated":
        from kebab_core.retrieve.relevance import CALIBRATED_GATE

        return CALIBRATED_GATE
    return score_gate


def judge(hits: Iterable[Hit], bar: float) -> Gate:
    known = [hit.relevance for hit in hits if hit.relevance is not None]
    return Gate(bar, max(known, default=None))
