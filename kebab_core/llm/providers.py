"""The names of chat models: `provider:model`, and where each provider is reached."""

from __future__ import annotations

import os
from collections.abc import Mapping
from difflib import get_close_matches

from kebab_core.errors import ConfigInvalid
from kebab_core.llm.endpoint import Endpoint
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.keys import PROVIDERS, decide, default_base_url
from kebab_core.text.clean import for_display
from kebab_core.types import ModelChoice

QUOTE = "quote"
NAMES: tuple[str, ...] = (*PROVIDERS, QUOTE)


def parse_ref(text: str, where: str = "--model") -> tuple[str, str]:
    """`provider:model`, split at its first colon; `quote` stands alone.

    Raises ConfigInvalid, naming the nearest provider. `where` is the flag or setting it is from.
    """
    written = text.strip()
    provider, colon, model = written.partition(":")
    provider, model = provider.strip(), model.strip()
    shown = for_display(written)
    if provider == QUOTE and not model:
        return QUOTE, ""
    if provider in NAMES and provider != QUOTE and model:
        return provider, model
    if provider in PROVIDERS:
        raise ConfigInvalid(
            f"{where} names no model of {provider}: {shown!r}.",
            f"Write provider and model: `{provider}:MODEL`.",
        )
    if provider == QUOTE:
        raise ConfigInvalid(f"{where}: quote has no models to choose from.", "Write `quote` alone.")
    # Without a colon it is rather a model's name than a slip: `llama3.2` isn't `ollama`.
    alike = 0.6 if colon else 0.75
    near = get_close_matches(provider.lower().replace("_", "-"), NAMES, n=1, cutoff=alike)
    if colon or near:
        meant = f"Did you mean `{near[0]}`? " if near else ""
        raise ConfigInvalid(
            f"{where} names no provider that exists: {shown!r}.",
            f"{meant}Providers are {', '.join(NAMES)}.",
        )
    raise ConfigInvalid(
        f"{where} names a model without its provider: {shown!r}.",
        f"Write provider and model, as in `ollama:{shown or 'llama3.2'}`, or `quote`.",
    )


def endpoint_for(
    choice: ModelChoice,
    configuration: Configuration,
    role: str = "ask",
    env: Mapping[str, str] | None = None,
) -> Endpoint:
    """Where that model is reached, and with which key. `env` is the process's own unless given.

    Raises ModelRefused for a key that is missing, ConfigInvalid for an address that is.
    """
    provider = choice.provider
    base_url = default_base_url(provider, configuration)
    decision = decide(provider, base_url, configuration, os.environ if env is None else env)
    ask = configuration.settings.ask
    return Endpoint(
        provider=provider,
        model=choice.model,
        base_url=_as_called(provider, base_url),
        role=role,
        key=decision.key,
        variable=decision.variable,
        key_reason=decision.reason,
        connect_timeout_s=ask.connect_timeout_s,
        silence_timeout_s=ask.silence_timeout_s,
    )


def _as_called(provider: str, base_url: str) -> str:
    """Both ways in which people write these two: with the `/v1` and without."""
    if provider == "ollama":
        return base_url.removesuffix("/v1").removesuffix("/api").rstrip("/")
    if provider == "anthropic" and not base_url.endswith("/v1"):
        return f"{base_url}/v1"
    return base_url
