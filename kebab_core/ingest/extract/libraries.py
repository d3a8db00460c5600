"""Libraries that may not be installed: what they are for, and how to get them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kebab_core.ingest.extract.outcome import Skipped


def needed(module: str, package: str) -> Any:
    """The module. Raises Skipped, which says what to install, where it isn't there."""
    try:
        return import_module(module)
    except ImportError as failure:
        raise Skipped(
            "needs_library", f"needs {package}: run `python -m pip install {package}`"
        ) from failure
