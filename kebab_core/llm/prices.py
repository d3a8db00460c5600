"""What a model call cost: as the server reported it, else by a library's table, else unknown."""

from __future__ import annotations

from typing import Literal, TypeAlias

from kebab_core.types import Usage

UsdSource: TypeAlias = Literal["reported", "table", "none"]

# Names of the price table (the genai-prices package) for the providers that bill.
_TABLE = {
    "openai": "openai",
    "anthropic": "anthropic",
    "openrouter": "openrouter",
    "workers-ai": "cloudflare",
}
_FREE = frozenset({"quote"})


def cost(provider: str, model: str, usage: Usage) -> tuple[float | None, UsdSource]:
    """US dollars of one call and where the figure comes from; (None, "none") if nobody knows.

    Nothing is guessed: a model that the table doesn't have has no price, and a server of one's
    own (`ollama`, `openai-compatible`) is only priced if it reports a cost itself.
    """
    if usage.usd is not None:
        return usage.usd, "reported"
    if provider in _FREE:
        return 0.0, "table"
    known = _TABLE.get(provider)
    if known is None:
        return None, "none"
    # Imported here: it takes 0.4 s and most asks never need it.
    import genai_prices

    try:
        price = genai_prices.calc_price(
            genai_prices.Usage(
                input_tokens=usage.prompt_tokens, output_tokens=usage.completion_tokens
            ),
            model_ref=model,
            provider_id=known,
        )
    except LookupError:
        return None, "none"
    return float(price.total_price), "table"
