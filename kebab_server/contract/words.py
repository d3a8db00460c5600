"""Whether a text repeats a question, and what the question's telling words are."""

from __future__ import annotations

import re

from kebab_core import api

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
MAX_TERMS = 12


def repeats(text: str, question: str) -> bool:
    """Whether all words of `question` stand in `text`, in their order, one after the other."""
    return f" {_plain(question)} " in f" {_plain(text)} "


def key_terms(question: str) -> list[str]:
    """The words that were searched for, as they were written; never the question itself."""
    words: dict[str, str] = {}
    for word in _WORD.findall(question):
        if not api.is_function_word(word):
            words.setdefault(word.casefold(), word)
    # One run of a script without spaces would be the question again: its terms are shorter.
    found = list(words.values()) if len(words) > 1 else api.query_terms(question)
    return found[:MAX_TERMS]


def _plain(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
