"""Files that a command writes where a person says so: whole or not at all, nothing overwritten."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_file(path: Path, text: str, *, replace: bool = False) -> None:
    """Write `text`; a file that is there stays as it is unless it may be replaced.

    Raises InvalidInput where there is something already, OSError where writing fails.
    """
    from kebab_core.api import InvalidInput

    if path.is_dir():
        raise InvalidInput(f"{path} is a folder.", "Name a file in it.")
    if path.exists() and not replace:
        raise InvalidInput(
            f"{path} is there already, and was left as it is.",
            "Choose another name, or say `--force` to replace it.",
        )
    # Written beside it first: a full disk must not cost what was there.
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:50]}.")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            out.write(text)
        part.chmod(0o666 & ~_umask())
        if replace:
            part.replace(path)
        else:
            _link(part, path)
    finally:
        part.unlink(missing_ok=True)


def _link(part: Path, path: Path) -> None:
    """Give the file its name, unless somebody took that in the meantime."""
    from kebab_core.api import InvalidInput

    try:
        path.hardlink_to(part)
    except FileExistsError:
        raise InvalidInput(
            f"{path} is there already, and was left as it is.", "Choose another name."
        ) from None
    except OSError:
        # A file system without links.
        part.rename(path)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
