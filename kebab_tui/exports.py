"""Sessions and answers as Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kebab_core import api
from kebab_tui.new_file import write_new
from kebab_tui.turn import Phase, TurnRecord

if TYPE_CHECKING:
    from kebab_core.api import Session


def answer_with_sources(turn: TurnRecord) -> str:
    """One turn: its question as a heading, the answer, the cited passages with their text."""
    failed = turn.phase is Phase.FAILED and turn.error is not None
    return api.exchange_as_markdown(
        api.Exchange(
            turn.question,
            turn.text,
            turn.answer.caveats if turn.answer is not None else (),
            failed=turn.error.message if failed and turn.error is not None else None,
            stopped=turn.phase is Phase.STOPPED,
            cited=[(hit, None) for hit in turn.hits if hit.n in turn.cited],
        )
    )


def write_session(session: Session, folder: Path, kind: str) -> Path:
    """Write `session` into `folder` as `md` or `json`, beside what is there already."""
    text = api.session_as_markdown(session) if kind == "md" else session.to_line() + "\n"
    return write_new(folder, session.title, kind, text, longest=60, else_="session")
