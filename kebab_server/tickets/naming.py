"""How passages are named to a client."""

from __future__ import annotations

from kebab_core import api


def ref(hit: api.Hit) -> str:
    """`kebab://source_id/doc_path#chunk_id`; a web page's address."""
    if hit.kind == "web":
        return hit.url or hit.chunk.doc_path
    chunk = hit.chunk
    return f"kebab://{chunk.source_id}/{api.uri(chunk.doc_path, '')}#{chunk.chunk_id}"


def permalink(hit: api.Hit) -> str | None:
    """`/docs/{doc_id}`; None for the web, whose address is its own."""
    return None if hit.kind == "web" else f"/docs/{hit.chunk.doc_id}"


def heading(hit: api.Hit) -> str | None:
    return api.for_display(api.heading_label(hit.chunk.heading_path)) or None
