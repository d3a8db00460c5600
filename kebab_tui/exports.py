"""Sessions and answers as Markdown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from kebab_core.api import for_display
from kebab_tui.turn import Phase, TurnRecord, restore

if TYPE_CHECKING:
    from kebab_core.api import SearchHit, Session

_UNSAFE = re.compile(r"[^\w.-]+")


def answer_with_sources(turn: TurnRecord) -> str:
    """One turn: its question as a heading, the answer, the cited passages with their text."""
    parts = [f"## {for_display(turn.question).strip()}"]
    if turn.phase is Phase.FAILED and turn.error is not None:
        parts.append(f"*Failed: {for_display(turn.error.message)}*")
    elif turn.text:
        parts.append(for_display(turn.text).strip())
    if turn.phase is Phase.STOPPED:
        parts.append("*Stopped here.*")
    cited = [hit for hit in turn.hits if hit.n in turn.cited]
    if cited:
        parts.append("\n\n".join(_source(hit) for hit in cited))
    return "\n\n".join(parts) + "\n"


def _source(hit: SearchHit) -> str:
    """A cited passage as it was when it was cited."""
    quoted = "\n".join(f"> {line}" for line in hit.snippet_full_text.strip().split("\n"))
    return f"[{hit.n}] {for_display(hit.citation.uri)}\n\n{quoted}"


def session_as_markdown(session: Session) -> str:
    """A whole session, its sources as they were when they were cited."""
    title = for_display(session.title).strip() or "Untitled"
    turns = [answer_with_sources(restore(turn)) for turn in session.turns or []]
    return "\n".join([f"# {title}\n", *turns])


def write_session(session: Session, folder: Path, kind: str) -> Path:
    """Write `session` into `folder` as `md` or `json`, beside what is there already."""
    text = session_as_markdown(session) if kind == "md" else session.to_line() + "\n"
    name = _UNSAFE.sub("-", session.title).strip("-.")[:60] or "session"
    number, file = 1, folder / f"{name}.{kind}"
    while True:
        try:
            with file.open("x", encoding="utf-8") as out:
                out.write(text)
        except FileExistsError:
            number += 1
            file = folder / f"{name}-{number}.{kind}"
        else:
            return file
