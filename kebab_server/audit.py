"""The service's log: one line of JSON an event, none of which ever holds a question."""

from __future__ import annotations

import json
import logging
from typing import TypeAlias

from kebab_server.clock import Clock

Field: TypeAlias = str | int | float | bool | list[str] | None
logger = logging.getLogger("kebab.serve")


class Audit:
    """Writes lines to the logger `kebab.serve`."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._unpriced: set[str] = set()

    def write(self, event: str, *, level: int = logging.INFO, **fields: Field) -> None:
        if not logger.isEnabledFor(level):
            return
        name = logging.getLevelName(level).lower()
        line = {"ts": self._clock.stamp(), "level": name, "event": event, **fields}
        logger.log(level, json.dumps(line, ensure_ascii=False))

    def note_price(self, model: str, *, is_known: bool) -> None:
        """Warn once of a model whose price nobody knows."""
        if not is_known and model not in self._unpriced:
            self._unpriced.add(model)
            self.write("model_without_price", level=logging.WARNING, model=model)
