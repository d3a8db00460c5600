"""Sessions as text: a table of them, and one with its turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kebab_cli.answer_text import caveat_lines, prose_lines
from kebab_cli.output import Output, bad, dim, good, mark, strong
from kebab_cli.passages import one_line
from kebab_cli.table import moment, print_table

if TYPE_CHECKING:
    from kebab_core.api import Session, Turn

_RATINGS = {1: good("  + marked as good"), -1: bad("  - marked as bad")}


def print_sessions(output: Output, sessions: Sequence[Session]) -> None:
    rows = [
        (item.session_id, moment(item.updated_at), item.turn_count, item.origin, item.title)
        for item in sessions
    ]
    print_table(output, ("id", "last used", "turns", "from", "title"), rows, cut_last=True)


def print_session(output: Output, session: Session) -> None:
    output.line(strong(one_line(session.title)))
    output.line(dim(f"{session.session_id} · {moment(session.created_at)} · {session.origin}"))
    for turn in session.turns or ():
        output.line()
        _print_turn(output, turn)


def _print_turn(output: Output, turn: Turn) -> None:
    width = output.width if output.stdout.is_terminal else None
    output.line(dim(f"{turn.turn_index} "), strong("> "), strong(turn.question))
    if turn.answer is not None:
        for line in caveat_lines(turn.answer.caveats, width):
            output.line(*line)
        for prose in prose_lines(turn.answer, width):
            output.line(prose)
        for source in turn.answer.sources:
            output.line(f"[{source.n}] ", mark(one_line(source.source)))
    if turn.error is not None:
        output.line(bad(f"{turn.error.code}: "), turn.error.message)
    if turn.state not in ("answered", "abstained"):
        output.line(dim(f"({turn.state})"))
    if turn.rating is not None:
        output.line(_RATINGS[turn.rating])
