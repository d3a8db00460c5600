"""What is said when the documents don't hold the answer, and what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Literal

from kebab_core.text.clean import for_display
from kebab_core.types import AskOptions, Filters, Hit
from kebab_core.wire.answer import Suggestion

Reason = Literal["no_chunks", "score_gate", "llm_self_judge"]
_LONGEST_IN_COMMAND = 300


def sentence(
    reason: Reason,
    hits: Sequence[Hit],
    *,
    filters: Filters,
    documents: int | None,
    searches: int,
    limited: bool,
    scored: bool = True,
) -> str:
    """A few plain sentences: what was searched, how near it came.

    `documents` is how many were searched, None where the asker mustn't know or nobody counted.
    Not `scored`: the asker mustn't know relevance either, which leans on the whole corpus.
    """
    narrowed = filters != Filters()
    where = "your documents"
    if documents is not None:
        where = f"{documents} document" + ("" if documents == 1 else "s")
    times = {1: "", 2: " twice"}.get(searches, f" {searches} times")
    if reason == "no_chunks" and narrowed:
        said = "No document matches the filters, so there was nothing to search."
    elif reason == "no_chunks":
        said = f"I searched {where}{times} and found no passage about this."
    elif reason == "score_gate":
        said = f"I searched {where}{times} and found nothing that answers this."
    else:
        count = f"the {len(hits)} nearest passages" if len(hits) > 1 else "the nearest passage"
        said = f"I searched {where}{times} and read {count}, and found no answer there."
    if narrowed and reason != "no_chunks":
        said += " Only documents that match the filters were searched."
    if near := _nearest(hits, scored=scored):
        said += f" The nearest passage is {near}."
    if limited:
        said += " A part of the search did not run, so a document may have been missed."
    return said


def _nearest(hits: Sequence[Hit], *, scored: bool) -> str | None:
    judged = [hit for hit in hits if hit.relevance is not None]
    if not judged:
        return None
    hit = max(judged, key=lambda hit: hit.relevance or 0.0)
    label = hit.chunk.heading_path[-1] if hit.chunk.heading_path else hit.title
    path = for_display(hit.url or hit.chunk.doc_path)
    name = f"“{for_display(label)}” in {path}" if label else path
    return f"{name} ({hit.relevance:.2f})" if scored else name


def suggestions(question: str, options: AskOptions, *, provider: str) -> list[Suggestion]:
    """The three next steps, each with the command that takes it."""
    quoted = _quoted(question)
    session = f" --session {shlex.quote(options.session_id)}" if options.session_id else ""
    chance = "Answer from general knowledge, not from the documents."
    model = ""
    if provider == "quote":
        chance = "Answer from general knowledge, with a chat model."
        model = " --model PROVIDER:MODEL"
    return [
        Suggestion(
            action="ingest",
            text="Add the document that would answer it, then ask again.",
            command="kebab ingest PATH",
        ),
        Suggestion(
            action="rephrase",
            text="Ask again with more or other words.",
            command=f'kebab ask{session} "…"',
        ),
        Suggestion(
            action="chance", text=chance, command=f"kebab ask --chance{model}{session} {quoted}"
        ),
    ]


def _quoted(question: str) -> str:
    if len(question) > _LONGEST_IN_COMMAND:
        return '"…"'
    quoted = shlex.quote(question)
    return f"-- {quoted}" if question.startswith("-") else quoted
