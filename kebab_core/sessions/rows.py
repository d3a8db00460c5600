"""Rows of the tables as wire types, and back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime

from kebab_core.text.clean import for_display
from kebab_core.text.identity import text_hash
from kebab_core.types import Hit
from kebab_core.wire.answer import Answer
from kebab_core.wire.broken_off import broken_off
from kebab_core.wire.convert import search_hit
from kebab_core.wire.error import Error
from kebab_core.wire.search_hit import SearchHit
from kebab_core.wire.session import Evidence, Session, Turn

TITLE_LENGTH = 60


def stamp(moment: datetime) -> str:
    """UTC, of one width, so that text sorts as time does."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def now() -> str:
    return stamp(datetime.now(UTC))


def one_line(title: str) -> str:
    """A title on one line, at most `TITLE_LENGTH` characters, cut between words if it can be."""
    flat = " ".join(for_display(title).split())
    if len(flat) <= TITLE_LENGTH:
        return flat
    cut = flat[: TITLE_LENGTH - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > TITLE_LENGTH // 2 else cut).rstrip() + "…"


def session(row: sqlite3.Row, turns: list[Turn] | None = None) -> Session:
    return Session(
        session_id=row["session_id"],
        title=row["title"],
        origin=row["origin"],
        created_at=datetime.fromisoformat(row["created_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
        turn_count=row["turn_count"],
        turns=turns,
    )


def turn(row: sqlite3.Row, evidence: list[Evidence]) -> Turn:
    return Turn(
        turn_index=row["turn_index"],
        question=row["question"],
        answer=Answer.model_validate_json(row["answer"]) if row["answer"] else None,
        state=row["state"],
        error=Error.model_validate_json(row["error"]) if row["error"] else None,
        rating=row["rating"],
        created_at=datetime.fromisoformat(row["created_at"]),
        evidence=evidence,
    )


def evidence(row: sqlite3.Row) -> Evidence:
    return Evidence(
        n=row["n"],
        hit=SearchHit.model_validate_json(row["hit"]),
        content_hash=row["content_hash"],
    )


def evidence_rows(hits: Iterable[Hit], question: str) -> Iterable[tuple[int, str, str]]:
    """n, hash of the passage's text, and the hit as it is now."""
    for hit in hits:
        number = hit.n if hit.n is not None else hit.rank
        yield number, text_hash(hit.chunk.text), search_hit(hit, question).model_dump_json()


def aborted(created_at: str) -> Answer:
    """What is left of a turn whose process died: nothing but that it was cut off."""
    return broken_off(
        "",
        datetime.fromisoformat(created_at),
        caveats=("kebab ended before this answer did.",),
    )
