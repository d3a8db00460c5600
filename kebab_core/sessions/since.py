"""What became of a source since a turn cited it."""

from __future__ import annotations

from collections.abc import Callable

from kebab_core.text.clean import for_display
from kebab_core.types import Document
from kebab_core.wire.search_hit import SearchHit
from kebab_core.wire.session import Evidence, Session, Since


def with_changes(
    session: Session,
    document: Callable[[str], Document | None],
    differs: Callable[[Document], bool],
) -> Session:
    """The session with `since` set at each passage of the person's own documents.

    `document` finds one by its id, with its text; each is looked for once. `differs`: its file
    is no longer the one that was stored.
    """
    known: dict[str, tuple[Document, str] | None] = {}

    def looked_at(hit: SearchHit) -> Since | None:
        if hit.kind == "web":
            return None
        if hit.doc_id not in known:
            found = document(hit.doc_id)
            known[hit.doc_id] = (found, for_display(found.text)) if found is not None else None
        now = known[hit.doc_id]
        if now is None:
            return "gone"
        stored, text = now
        kept = hit.snippet_full_text in text
        return "same" if kept and not differs(stored) else "changed"

    def marked(one: Evidence) -> Evidence:
        return one.model_copy(update={"since": looked_at(one.hit)})

    turns = [
        turn.model_copy(update={"evidence": [marked(one) for one in turn.evidence]})
        for turn in session.turns or []
    ]
    return session.model_copy(update={"turns": turns})
