"""From a query to ranked passages."""

from kebab_core.retrieve.searching import search

__all__ = ["search"]
