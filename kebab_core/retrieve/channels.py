"""The two ways of finding chunks, run at the same time: by words and by meaning."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from kebab_core.embed.base import Embedder
from kebab_core.errors import EmbedderUnavailable, KebabError
from kebab_core.store import Found, Store
from kebab_core.types import Filters, Scope, SearchMode


@dataclass(frozen=True, slots=True)
class Channels:
    """What each channel found, best first; None where it did not run. `failure`: why."""

    lexical: Sequence[Found] | None
    vector: Sequence[Found] | None
    failure: KebabError | None = None

    def ran(self) -> SearchMode:
        """The mode that this amounts to."""
        if self.vector is None:
            return "lexical"
        return "vector" if self.lexical is None else "hybrid"


def run(
    store: Store,
    text: str,
    terms: Sequence[str] | None,
    embedder: Embedder | None,
    depth: int,
    filters: Filters,
    scope: Scope,
) -> Channels:
    """Up to `depth` chunks of each channel.

    `terms` None leaves the lexical channel out, `embedder` None the other. A store that fails
    raises; an embedder that fails does not, its channel has then not run.
    """
    if terms is None or embedder is None:
        lexical = None if terms is None else store.search_terms(terms, depth, filters, scope)
        vector, failure = _by_meaning(store, text, embedder, depth, filters, scope)
        return Channels(lexical, vector, failure)
    # The query is embedded while the words are looked up.
    with ThreadPoolExecutor(1, thread_name_prefix="lexical") as pool:
        words = pool.submit(store.search_terms, terms, depth, filters, scope)
        vector, failure = _by_meaning(store, text, embedder, depth, filters, scope)
        return Channels(words.result(), vector, failure)


def _by_meaning(
    store: Store, text: str, embedder: Embedder | None, depth: int, filters: Filters, scope: Scope
) -> tuple[Sequence[Found] | None, KebabError | None]:
    if embedder is None:
        return None, None
    try:
        query = embedder.embed_query(text)
    except KebabError as failure:
        return None, failure
    except Exception as failure:  # noqa: BLE001 - a runtime of a third party may raise anything
        unavailable = EmbedderUnavailable(
            f"{embedder.id} could not embed the query: {failure}",
            "`kebab doctor` looks closer; `--mode lexical` does without it.",
        )
        unavailable.__cause__ = failure
        return None, unavailable
    return store.search_vector(query, depth, filters, scope), None
