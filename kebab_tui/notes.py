"""An answer with its sources as a Markdown note of the person's own."""

from __future__ import annotations

from pathlib import Path

from kebab_core.api import for_display
from kebab_tui.exports import answer_with_sources
from kebab_tui.new_file import write_new
from kebab_tui.turn import TurnRecord
from kebab_tui.words import clip, one_line

_LONGEST = 80


def title_of(turn: TurnRecord) -> str:
    """What the note is best called: what is missing, where the answer named that."""
    gap = turn.answer.gap if turn.answer is not None else None
    missing = one_line(gap.suggested_title or "") if gap is not None else ""
    return missing or clip(one_line(turn.question), _LONGEST)


def note_text(turn: TurnRecord, title: str) -> str:
    """The note: its title, then question, answer and sources."""
    return f"# {for_display(title).strip()}\n\n{answer_with_sources(turn)}"


def write_note(folder: Path, title: str, text: str) -> Path:
    """Write a new file into `folder`, which is made if need be; nothing is overwritten.

    Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return write_new(folder, title, "md", text, longest=_LONGEST, else_="note")
