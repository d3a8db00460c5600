"""What is said when nothing was found."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from kebab_core.ask import abstain
from kebab_core.types import AskOptions, Filters
from tests.support.asking import LEAVE


def sentence(reason: abstain.Reason = "score_gate", **given: Any) -> str:
    fields: dict[str, Any] = {
        "filters": Filters(),
        "documents": 412,
        "searches": 1,
        "limited": False,
    }
    hits = given.pop("hits", LEAVE)
    return abstain.sentence(reason, hits, **(fields | given))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {},
            (
                "I searched 412 documents and found nothing that answers this. "
                "The nearest passage is “Notice” in hr/leave.md (0.80)."
            ),
        ),
        (
            {"documents": 1, "searches": 2, "hits": ()},
            "I searched 1 document twice and found nothing that answers this.",
        ),
        (
            {"documents": None, "searches": 3, "hits": ()},
            "I searched your documents 3 times and found nothing that answers this.",
        ),
        (
            {"reason": "llm_self_judge"},
            (
                "I searched 412 documents and read the 3 nearest passages, "
                "and found no answer there. The nearest passage is “Notice” in hr/leave.md (0.80)."
            ),
        ),
        (
            {"reason": "no_chunks", "hits": ()},
            "I searched 412 documents and found no passage about this.",
        ),
        (
            {"reason": "no_chunks", "hits": (), "filters": Filters(tags=("x",)), "limited": True},
            (
                "No document matches the filters, so there was nothing to search. "
                "A part of the search did not run, so a document may have been missed."
            ),
        ),
        (
            {"hits": (), "filters": Filters(tags=("x",))},
            (
                "I searched 412 documents and found nothing that answers this. "
                "Only documents that match the filters were searched."
            ),
        ),
    ],
)
def test_sentences(given: dict[str, Any], said: str) -> None:
    assert sentence(**given) == said


def command(question: str, provider: str = "ollama", **options: Any) -> list[str]:
    made = abstain.suggestions(question, AskOptions(**options), provider=provider)
    assert [one.action for one in made] == ["ingest", "rephrase", "chance"]
    assert made[2].command is not None
    return shlex.split(made[2].command)


def test_the_commands_can_be_typed() -> None:
    assert command('What\'s "it"; rm -rf $HOME?') == [
        "kebab",
        "ask",
        "--chance",
        'What\'s "it"; rm -rf $HOME?',
    ]
    assert command("--help", session_id="ab12") == [
        "kebab",
        "ask",
        "--chance",
        "--session",
        "ab12",
        "--",
        "--help",
    ]
    assert command("x" * 400)[-1] == "…"


def test_quote_is_told_to_bring_a_model() -> None:
    assert "--model" in command("Why?", "quote")
