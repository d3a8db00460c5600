"""What a run needs from the rest of the core, handed in by whoever wires it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kebab_core.types import Hit, Scope, SearchOptions, SearchResult

if TYPE_CHECKING:
    from kebab_core.ask.tools import Situation, Toolbox
    from kebab_core.llm.base import ChatModel
    from kebab_core.sessions.protocol import SessionStore
    from kebab_core.settings.configuration import Configuration
    from kebab_core.wire.answer import EmbeddingRef


def _no_embedding() -> EmbeddingRef | None:
    return None


@dataclass(frozen=True, slots=True)
class AskDeps:
    """All are called in the run's worker or in threads of its own, never in the caller's.

    `model` takes a role and an override such as `ollama:qwen3`; the run closes what it gives.
    `counts` says how many documents and chunks there are, `passages` gives stored chunks by id
    for pinning (those that the scope may see), `toolbox` what the model may call in a run.
    """

    configuration: Configuration
    search: Callable[[str, SearchOptions], SearchResult]
    sessions: Callable[[], SessionStore]
    model: Callable[[str, str | None], ChatModel]
    embedding: Callable[[], EmbeddingRef | None] = _no_embedding
    counts: Callable[[], tuple[int, int]] | None = None
    passages: Callable[[Sequence[str], Scope], Sequence[Hit]] | None = None
    toolbox: Callable[[Situation], Toolbox] | None = None
