"""What a run did: a line a step while it runs, one folded line when it is done."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content

from kebab_tui.status_line import spinner
from kebab_tui.turn import Phase, Step, TurnRecord
from kebab_tui.words import clip, count, seconds

_DONE = {
    "done": ("✓", "$success"),
    "failed": ("✗", "$error"),
}
_WIDEST = 44


def render_steps(turn: TurnRecord, now: float, *, width: int, still: bool) -> Content:
    """The steps as they are drawn in `width` columns."""
    if not turn.steps:
        return Content("")
    if turn.folded:
        return _folded(turn, now)
    wanted = max(len(step.what) + len(step.about) + 1 for step in turn.steps)
    details = max(min(cell_len(step.detail), width // 2) for step in turn.steps)
    column = max(8, min(wanted, _WIDEST, width - details - 5))
    lines = [_line(step, now, column, still) for step in turn.steps]
    if turn.phase in (Phase.ANSWERED, Phase.STOPPED):
        lines = [Content.assemble(("▾ ", "$primary"), _summary(turn, now)), *lines]
    return Content("\n").join(lines)


def _line(step: Step, now: float, column: int, still: bool) -> Content:
    mark, tone = _DONE.get(step.state, (spinner(now - step.since, still), "$primary"))
    what = "writing" if step.what == "write" and step.state == "running" else step.what
    if step.what == "write" and step.state == "failed":
        what = "write answer"
    about = clip(step.about, column - len(what) - 1)
    return Content.assemble(
        (mark, tone),
        " ",
        (what, "$text"),
        (f" {about}" if about else "", "$text-muted"),
        (" " * max(2, column - len(what) - len(about) + 1) if step.detail else "", ""),
        (step.detail, "$text-muted"),
    )


def _folded(turn: TurnRecord, now: float) -> Content:
    return Content.assemble(("▸ ", "$primary"), _summary(turn, now))


def _summary(turn: TurnRecord, now: float) -> Content:
    facts = [
        count(len(turn.steps), "step"),
        count(len(turn.hits), "passage"),
        seconds(turn.took(now)),
    ]
    return Content.styled(" · ".join(facts), "$text-muted")
