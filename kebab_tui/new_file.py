"""A file beside those that are there: nothing is overwritten."""

from __future__ import annotations

import re
from pathlib import Path

_UNSAFE = re.compile(r"[^\w.-]+")


def write_new(folder: Path, name: str, suffix: str, text: str, *, longest: int, else_: str) -> Path:
    """Write `text` under `name` (`else_` where nothing of it can be a file's name), numbered
    where that is taken. Raises OSError."""
    stem = _UNSAFE.sub("-", name).strip("-.")[:longest] or else_
    number, file = 1, folder / f"{stem}.{suffix}"
    while True:
        try:
            with file.open("x", encoding="utf-8") as out:
                out.write(text)
        except FileExistsError:
            number += 1
            file = folder / f"{stem}-{number}.{suffix}"
        else:
            return file
