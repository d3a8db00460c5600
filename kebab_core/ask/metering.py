"""What a model call took, as a row of the ledger."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from kebab_core.llm.base import ChatModel
from kebab_core.llm.prices import cost
from kebab_core.types import ModelCall, Usage


class Meter:
    """Starts with a call to `model` in a place (`role`) that calls models."""

    def __init__(self, role: str, model: ChatModel) -> None:
        self._role = role
        self._model = model
        self._at = datetime.now(UTC)
        self._begun = time.monotonic()

    def read(self, usage: Usage | None) -> ModelCall:
        """The call, over now. `usage` None: it was cancelled or broke off, nobody told its cost."""
        provider, model = self._model.provider, self._model.id
        told = usage or Usage()
        usd, source = (None, "none") if usage is None else cost(provider, model, usage)
        return ModelCall(
            at=self._at,
            role=self._role,
            provider=provider,
            model=model or provider,
            ms=round((time.monotonic() - self._begun) * 1000),
            prompt_tokens=told.prompt_tokens,
            completion_tokens=told.completion_tokens,
            usd=usd,
            usd_source=source,
        )
