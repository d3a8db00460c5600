"""`search_hit.v1`: one passage with how it was found."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from kebab_core.wire.base import Timestamp, WireModel
from kebab_core.wire.citation import Citation


class RetrievalDetail(WireModel):
    """Scores and ranks of each channel; null where a channel did not run or find it."""

    method: Literal["lexical", "vector", "hybrid", "web"]
    fusion_score: float | None
    lexical_score: float | None
    lexical_rank: int | None
    vector_score: float | None
    vector_rank: int | None
    rerank_score: float | None


class SearchHit(WireModel):
    schema_version: Literal["search_hit.v1"] = "search_hit.v1"
    rank: int = Field(ge=1)
    n: int | None = Field(description="The passage's number in a run: what `[n]` means.")
    score: float = Field(description="Orders hits of one response; no confidence.")
    relevance: float | None = Field(description="0..1, an estimate that the passage answers.")
    score_kind: Literal["rrf", "convex", "bm25", "cosine", "rerank"] = Field(
        description="`convex`: the weighted sum of both channels' scores, each stretched to 0..1."
    )
    kind: Literal["local", "web"]
    chunk_id: str
    doc_id: str
    doc_path: str
    file_path: str | None
    title: str
    heading_path: list[str]
    section_label: str | None
    snippet: str
    snippet_full_text: str
    citation: Citation
    retrieval: RetrievalDetail
    index_version: int
    embedding_model: str | None
    chunker_version: str
    indexed_at: Timestamp
    stale: bool
    source_id: str
    media: str
    lang: str | None
    repo: str | None
    code_lang: str | None
