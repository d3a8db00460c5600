"""Which sources a caller may read."""

from __future__ import annotations

from kebab_core import api


class Access:
    """Asks the corpus each time: who may read what can change under a running service."""

    def __init__(self, base: api.KnowledgeBase) -> None:
        self._base = base

    def sources(self, scope: api.Scope) -> frozenset[str] | None:
        """Their ids; None means all of them. Reads the store: not from an event loop."""
        readers = scope.readers
        if readers is None:
            return None
        return frozenset(
            source.source_id for source in self._base.sources() if source.is_visible_to(readers)
        )

    def reads_something(self, scope: api.Scope) -> bool:
        found = self.sources(scope)
        return found is None or bool(found)
