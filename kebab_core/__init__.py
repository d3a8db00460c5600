"""Answers from a person's own documents, with the lines each rests on."""

from __future__ import annotations

__version__ = "0.1.0"
