"""Folders and files into the corpus: discover, extract, chunk, embed, write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kebab_core.ingest.pipeline import ingest

__all__ = ["ingest"]


def __getattr__(name: str) -> Any:
    # Late: a process that only reads files loads `extract` alone.
    if name != "ingest":
        raise AttributeError(name)
    from kebab_core.ingest.pipeline import ingest

    return ingest
