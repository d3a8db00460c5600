"""What is searched for: a question, with the one before it where it leans on that."""

from __future__ import annotations

import re

from kebab_core.retrieve import leaning_english, leaning_korean
from kebab_core.retrieve.searching import MAX_QUERY_LENGTH
from kebab_core.text.scripts import HANGUL

_HANGUL = re.compile(rf"[{HANGUL}]")


def search_query(question: str, previous: str | None) -> str:
    """`question`, or `previous` and `question` joined, at most `MAX_QUERY_LENGTH` characters.

    `previous` is what was searched for in the turn before (None in the first), so that a chain
    of leaning questions keeps its subject. The earlier text is cut first.
    """
    question = question.strip()
    if previous is None or not previous.strip() or not leans(question):
        return question
    room = MAX_QUERY_LENGTH - len(question) - 1
    earlier = previous.strip()[: max(room, 0)].rstrip()
    return f"{earlier} {question}" if earlier else question


def leans(question: str) -> bool:
    """Whether a question can't be understood without the one before it (English, Korean).

    It does when it points back ("Who decides it?", "그건 왜?"), names nothing that a document
    could be about ("Why?"), or is a fragment ("And on Windows?"). A question in another language
    counts as standing alone.
    """
    if _HANGUL.search(question):
        return leaning_korean.leans(question)
    return leaning_english.leans(question)
