"""A price is reported, looked up, or unknown; never guessed."""

from __future__ import annotations

import pytest

from kebab_core.llm.prices import cost
from kebab_core.types import Usage

USAGE = Usage(prompt_tokens=1000, completion_tokens=100)


def test_a_reported_cost_wins() -> None:
    reported = Usage(prompt_tokens=1000, completion_tokens=100, usd=0.5)
    assert cost("openai", "gpt-4o-mini", reported) == (0.5, "reported")


def test_a_known_model_has_the_tables_price() -> None:
    usd, source = cost("openai", "gpt-4o-mini", USAGE)
    assert source == "table"
    # 0.15 and 0.60 dollars a million tokens in and out.
    assert usd == pytest.approx(1000 * 0.15e-6 + 100 * 0.60e-6)


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("openai", "gpt-of-tomorrow"),
        ("ollama", "gpt-4o-mini"),
        ("openai-compatible", "gpt-4o-mini"),
        ("workers-ai", "@cf/nobody/nothing"),
    ],
)
def test_an_unknown_model_has_no_price(provider: str, model: str) -> None:
    assert cost(provider, model, USAGE) == (None, "none")


def test_quotes_cost_nothing() -> None:
    assert cost("quote", "quote", USAGE) == (0.0, "table")
