"""A conversation as the client remembers it, as turns that a model may see."""

from __future__ import annotations

from collections.abc import Sequence

from kebab_core import api
from kebab_server.contract.bodies import Said


def turns(history: Sequence[Said]) -> list[api.HistoryTurn]:
    """Each question with the answer right after it; one without an answer is left out, and so is
    an answer to nothing."""
    found: list[api.HistoryTurn] = []
    question: str | None = None
    for said in history:
        if said.role == "user":
            question = said.text
        elif question is not None:
            found.append(api.HistoryTurn(question, said.text, "answered"))
            question = None
    return found
