"""What is left out for a caller who may read a part of the corpus only.

Scores lean on how common words are in the whole corpus, so they tell of passages that the caller
may not read; paths of the disk and the count of commits are the owner's affair.
"""

from __future__ import annotations

from kebab_core import api

_REASONS_FOLLOW = (
    "Search is lexical only",
    "History can't be written",
    "What this took can't be recorded",
)


def hit(found: api.SearchHit) -> api.SearchHit:
    bare = dict.fromkeys(type(found.retrieval).model_fields) | {"method": found.retrieval.method}
    return found.model_copy(
        update={
            "score": 0.0,
            "relevance": None,
            "file_path": None,
            "index_version": 0,
            "retrieval": found.retrieval.model_copy(update=bare),
        }
    )


def caveat(text: str) -> str:
    """Without the reason, which can name paths of the service's disk."""
    begin = next((words for words in _REASONS_FOLLOW if text.startswith(words)), None)
    return text if begin is None else f"{begin}."


def answer(given: api.Answer) -> api.Answer:
    return given.model_copy(
        update={
            "retrieval": given.retrieval.model_copy(update={"top_score": None}),
            "sources": [one.model_copy(update={"score": 0.0}) for one in given.sources],
            "caveats": [caveat(one) for one in given.caveats],
            "retrieved": [one.model_copy(update={"score": 0.0}) for one in given.retrieved],
        }
    )


def response(found: api.SearchResponse) -> api.SearchResponse:
    warnings = [caveat(one) for one in found.warnings]
    return found.model_copy(update={"hits": [hit(one) for one in found.hits], "warnings": warnings})


def answer_event(event: api.AnswerEvent) -> api.AnswerEvent:
    root = event.root
    if root.kind == "retrieval_done":
        return api.AnswerEvent(root.model_copy(update={"hits": [hit(one) for one in root.hits]}))
    if root.kind == "final":
        return api.AnswerEvent(root.model_copy(update={"answer": answer(root.answer)}))
    return event


def search_event(event: api.SearchEvent) -> api.SearchEvent:
    if event.hits is None:
        return event
    return event.model_copy(update={"hits": [hit(one) for one in event.hits]})
