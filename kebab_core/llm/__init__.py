"""Chat models behind one protocol. Importing this costs nothing; a provider loads when used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kebab_core.llm.base import ChatModel
    from kebab_core.settings.configuration import Configuration
    from kebab_core.types import ModelChoice


def create(
    choice: ModelChoice,
    configuration: Configuration,
    *,
    embed_query: Callable[[str], NDArray[np.float32]] | None = None,
    embed_passages: Callable[[Sequence[str]], NDArray[np.float32]] | None = None,
    reads: Callable[[str | None], bool] | None = None,
    role: str = "ask",
) -> ChatModel:
    """The chosen model, not yet connected. The caller closes it.

    The three callables are an `Embedder`'s methods; `quote` ranks by words alone without them.
    Raises ModelRefused for a key that is missing, ConfigInvalid for an address that is.
    """
    if choice.provider == "quote":
        from kebab_core.llm.quote import QuoteModel

        return QuoteModel(embed_query=embed_query, embed_passages=embed_passages, reads=reads)
    from kebab_core.llm.providers import endpoint_for

    endpoint = endpoint_for(choice, configuration, role)
    if choice.provider == "ollama":
        from kebab_core.llm.ollama import Ollama

        return Ollama(endpoint, context_tokens=configuration.settings.ask.context_tokens)
    if choice.provider == "anthropic":
        from kebab_core.llm.anthropic import Anthropic

        return Anthropic(endpoint)
    from kebab_core.llm.openai_compat import OpenAICompatible

    return OpenAICompatible(endpoint)
