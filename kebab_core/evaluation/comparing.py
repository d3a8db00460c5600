"""Two runs of golden sets beside each other."""

from __future__ import annotations

from dataclasses import dataclass

from kebab_core.wire.reports import EvalItem, EvalReport

LESS_IS_BETTER = ("gate_wrongly_refused", "abstention_wrongly_refused")


@dataclass(frozen=True, slots=True)
class Change:
    """One measure of one set. None: that run doesn't have it."""

    set: str
    measure: str
    before: float | None
    after: float | None

    @property
    def gain(self) -> float | None:
        """How much better it became; None where there is nothing to compare."""
        if self.before is None or self.after is None:
            return None
        change = self.after - self.before
        return -change if self.measure in LESS_IS_BETTER else change


@dataclass(frozen=True, slots=True)
class Turned:
    """A question that was found or refused in one run and not in the other."""

    set: str
    question: str
    what: str


def changes(before: EvalReport, after: EvalReport) -> list[Change]:
    """Every measure of every set, in the order of the later run."""
    old = {one.name: one.measures for one in before.sets}
    new = {one.name: one.measures for one in after.sets}
    return [
        Change(name, measure, old.get(name, {}).get(measure), new.get(name, {}).get(measure))
        for name in dict.fromkeys([*new, *old])
        for measure in dict.fromkeys([*new.get(name, {}), *old.get(name, {})])
    ]


def turned(before: EvalReport, after: EvalReport) -> list[Turned]:
    """Questions whose first right passage or whose abstention came or went."""
    old = {(one.set, one.question): one for one in before.items or ()}
    found = []
    for now in after.items or ():
        was = old.get((now.set, now.question))
        if was is not None and (what := _difference(was, now)):
            found.append(Turned(now.set, now.question, what))
    return found


def _difference(was: EvalItem, now: EvalItem) -> str | None:
    before, after = was.measures.get("recall@10"), now.measures.get("recall@10")
    if before is not None and after is not None and (before > 0) != (after > 0):
        return "found now" if after > 0 else "not found any more"
    if was.abstained is not None and now.abstained is not None and was.abstained != now.abstained:
        is_right = now.abstained != now.answerable
        done = "refused" if now.abstained else "answered"
        return f"{done} now, {'rightly' if is_right else 'wrongly'}"
    return None
