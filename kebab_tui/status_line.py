"""The row above the prompt: what goes on now, or how the last question ended."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive

from kebab_tui.plain import Plain
from kebab_tui.turn import Phase, TurnRecord
from kebab_tui.words import count, seconds

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


def spinner(elapsed: float, still: bool) -> str:
    """The frame for `elapsed` seconds; a dot where motion is unwelcome."""
    return "◌" if still else SPINNER[int(elapsed * 10) % len(SPINNER)]


def describe(turn: TurnRecord, now: float, *, still: bool) -> Content:
    """One line about a turn that runs or has ended."""
    took = seconds(turn.took(now))
    match turn.phase:
        case Phase.SEARCHING | Phase.WRITING:
            return _running(turn, now, took, still)
        case Phase.ANSWERED:
            answer = turn.answer
            if answer is not None and not answer.grounded:
                return _line("▲", "$warning", f"From general knowledge · {took}")
            sources = count(len(turn.cited), "source") if turn.cited else "nothing marked"
            return _line("✓", "$success", f"Answered · {took} · {sources}")
        case Phase.ABSTAINED:
            return _line("○", "$warning", f"Not found · {took}")
        case Phase.STOPPED:
            kept = " · what was written is kept" if turn.text else ""
            return _line("■", "$warning", f"Stopped · {took}{kept}")
        case Phase.FAILED:
            return _line("✗", "$error", "The last question failed · it is back in the prompt")
        case Phase.WAITING:
            return _line("◌", "$text-muted", "Waiting")


def _running(turn: TurnRecord, now: float, took: str, still: bool) -> Content:
    step = turn.steps[-1] if turn.steps else None
    if turn.phase is Phase.SEARCHING:
        doing = _DOING.get(step.what, "Working") if step is not None else "Working"
    else:
        doing = "Writing the answer" if turn.pieces else "Waiting for the model"
    so_far = f" · {count(turn.pieces, 'token')}" if turn.pieces else ""
    mark = spinner(turn.took(now), still)
    return _line(mark, "$primary", f"{doing} · {took}{so_far}")


_DOING = {
    "search": "Searching your documents",
    "read": "Reading a document",
    "list": "Looking through the documents",
    "web": "Searching the web",
    "fetch": "Reading a page",
}


def _line(mark: str, tone: str, text: str) -> Content:
    return Content.assemble((mark, tone), " ", (text, "$text-muted"))


class StatusLine(Plain):
    """`left` says what is going on, `right` what can be done about it."""

    ALLOW_SELECT = False

    left = reactive(Content(""))
    right = reactive(Content(""))

    def render(self) -> Content:
        width = self.size.width
        left = self.left.truncate(width, ellipsis=True)
        gap = width - left.cell_length - self.right.cell_length
        if not self.right.plain or gap < 1:
            return left
        return Content.assemble(left, " " * gap, self.right)
