"""A chat model for the contract's own corpus: each question has its behaviour."""

from __future__ import annotations

from kebab_core.testing.model import Call, Hang, Received, Say, Status, Step

KNOWN = "How many weeks of parental leave does an employee get?"
UNKNOWN = "Which dragon guards the treasure chamber of the castle?"
FOLLOW_UP = "And how is that one paid?"
SLOW = "How long is parental leave, told very slowly?"
BUSY = "What do all the documents say about parental leave and backups?"
BLOCKED = "What does http://127.0.0.1:9/private say about parental leave?"
LIMITED = "How many questions about parental leave are too many?"

DOCUMENTS = {
    "hr/leave.md": """\
# Leave

## Parental leave

An employee gets 26 weeks of parental leave. Parental leave is paid at full salary.

## Notice

The notice period is four weeks, in writing.
""",
    "it/backups.md": """\
# Backups

Backups run every night at 02:30. They are kept for 90 days.
""",
}


def script(request: Received) -> list[Step]:
    """A turn of the model. It first finds nothing where tools are to be called, since a strong
    first search is answered without them."""
    asked = _question(request)
    results = sum(message.get("role") == "tool" for message in request.messages)
    if SLOW in asked:
        return [Say("It "), Hang()]
    if LIMITED in asked:
        return [Status(429)]
    if UNKNOWN in asked:
        return [Say("NOTFOUND")]
    if BUSY in asked:
        if not request.tools and not results:
            return [Say("NOTFOUND")]
        if results < 3:
            return [
                Call("search_corpus", {"query": words})
                for words in ("backups at night", "salary in leave", "notice in writing")
            ]
        return [Say.words("Leave is 26 weeks and backups run every night [1].")]
    if BLOCKED in asked:
        if not request.tools or results:
            return [Say("NOTFOUND")]
        return [Call("fetch_page", {"url": "http://127.0.0.1:9/private"})]
    if FOLLOW_UP in asked:
        return [Say.words("It is paid at full salary [1].")]
    return [Say.words("An employee gets 26 weeks of parental leave [1].")]


def _question(request: Received) -> str:
    """The last thing the person said: earlier questions are in the conversation too."""
    said = [str(m["content"]) for m in request.messages if m.get("role") == "user"]
    return said[-1] if said else ""
