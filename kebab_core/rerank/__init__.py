"""Putting the best passages found in a better order, by a model that reads query and passage.

Off unless `search.rerank` names a cross-encoder or the address of a reranking server.
"""

from __future__ import annotations

from kebab_core.rerank.base import Reranker

__all__ = ["Reranker", "create"]


def create(name: str, *, fetch: bool = False) -> Reranker | None:
    """What `search.rerank` names; None for nothing.

    Without `fetch` the model hub isn't asked. Raises EmbedderUnavailable.
    """
    if not name:
        return None
    if name.startswith(("http://", "https://")):
        from kebab_core.rerank.http import HttpReranker

        return HttpReranker(name)
    from kebab_core.rerank.cross_encoder import CrossEncoderReranker

    return CrossEncoderReranker(name, fetch=fetch)
