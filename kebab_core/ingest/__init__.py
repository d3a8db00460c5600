"""Folders and files into the corpus: discover, extract, chunk, embed, write."""

from kebab_core.ingest.pipeline import ingest

__all__ = ["ingest"]
