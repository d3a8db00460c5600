"""JSON that a model was asked for, found in whatever it wrote around it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from kebab_core.text.clean import for_display

MAX_QUESTION = 200
"""Characters of a proposed question; longer ones are no questions."""
_OPENING = re.compile(r"[\[{]")


def values(text: str) -> Iterator[Any]:
    """Every JSON object and array in `text`, in order, those inside another left out."""
    decoder = json.JSONDecoder()
    place = 0
    while (opening := _OPENING.search(text, place)) is not None:
        try:
            value, place = decoder.raw_decode(text, opening.start())
        except RecursionError:
            # A model gone astray: from each of its brackets it would take as long again.
            return
        except ValueError:
            place = opening.end()
        else:
            yield value


def questions(value: object, at_most: int) -> tuple[str, ...]:
    """The questions of a list: strings, or objects that hold one as `question`; each once."""
    found: dict[str, str] = {}
    for item in value if isinstance(value, list) else []:
        said = item.get("question") if isinstance(item, dict) else item
        if not isinstance(said, str):
            continue
        question = " ".join(for_display(said).split())
        if question and len(question) <= MAX_QUESTION:
            found.setdefault(question.casefold(), question)
    return tuple(found.values())[:at_most]
