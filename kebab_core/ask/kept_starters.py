"""Starters kept in a small file, so that the next opening shows them at once.

Losing it costs nothing but making them again.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path

NAME = "starters.json"


def read(file: Path, key: str) -> list[str] | None:
    """What was kept under `key`; None if nothing was, or the file can't be read."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("key") != key:
        return None
    kept = found.get("starters")
    if not isinstance(kept, list) or not all(isinstance(one, str) for one in kept):
        return None
    return kept


def write(file: Path, key: str, starters: list[str]) -> None:
    """Replace the file whole, for its owner's eyes only. Where that can't be, nothing is kept."""
    text = json.dumps({"key": key, "starters": starters}, ensure_ascii=False, indent=1)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=f"{NAME}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                out.write(text)
            Path(name).replace(file)
        except OSError:
            Path(name).unlink(missing_ok=True)
            raise
