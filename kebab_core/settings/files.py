"""Settings files: found, read and parsed once, with the hash of exactly what was parsed."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kebab_core.errors import ConfigInvalid, PermissionDenied
from kebab_core.paths import SETTINGS_FILE
from kebab_core.text.clean import for_display

LONGEST = 1_000_000
"""Bytes of a settings file; a longer one is no settings file."""

_PLACE = re.compile(r"\(at (?:line (\d+), column \d+|end of document)\)")


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A file as it was read. `digest` is the SHA-256 of its bytes, in hex."""

    path: Path
    digest: str
    table: dict[str, Any]


def read(path: Path, *, hint: str | None = None) -> SettingsFile:
    """Read and parse `path`.

    Raises ConfigInvalid (with the line, where the TOML is broken; `hint` is added to what it
    says) and PermissionDenied.
    """
    file = read_if_there(path, hint=hint)
    if file is None:
        shown = for_display(str(path))
        raise ConfigInvalid(f"There is no settings file {shown}.", "`kebab init` writes one.")
    return file


def read_if_there(path: Path, *, hint: str | None = None) -> SettingsFile | None:
    """As `read`, but None where there is no such file."""
    shown = for_display(str(path))
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError:
        raise PermissionDenied(
            f"The settings file {shown} can't be read: permission denied.",
            f"Make it readable for you, or take another with `--config FILE`.{_more(hint)}",
        ) from None
    except OSError as error:
        raise ConfigInvalid(
            f"The settings file {shown} can't be read: {error.strerror}.", hint
        ) from None
    return SettingsFile(path, digest_of(data), _parse(shown, data, hint))


def digest_of(data: bytes) -> str:
    """SHA-256, in hex: trust hangs on it, so no shorter hash will do."""
    return hashlib.sha256(data).hexdigest()


def upward(start: Path) -> Iterator[Path]:
    """`start` and its parents, innermost first, as they are named (links not followed)."""
    yield start
    yield from start.parents


def find_project_file(start: Path, *, own: Path) -> Path | None:
    """The innermost `kebab.toml` upward from `start` that isn't the person's `own` file."""
    own_found = _stat(own)
    for folder in upward(start):
        found = _stat(candidate := folder / SETTINGS_FILE)
        # Only a regular file: opening a pipe of that name would wait for ever.
        if found is None or not stat.S_ISREG(found.st_mode):
            continue
        if own_found is None or not os.path.samestat(found, own_found):
            return candidate
    return None


def current_folder() -> Path | None:
    """The current folder, None where it has been deleted."""
    try:
        return Path(os.getcwd())  # noqa: PTH109 - said plainly: Path.cwd() raises the same
    except OSError:
        return None


def _stat(path: Path) -> os.stat_result | None:
    """None for what isn't there, and for what may not be looked at: it has nothing for us."""
    try:
        return path.stat()
    except OSError:
        return None


def _parse(shown: str, data: bytes, hint: str | None) -> dict[str, Any]:
    if len(data) > LONGEST:
        raise ConfigInvalid(f"{shown} is longer than {LONGEST:,} bytes.", hint)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigInvalid(
            f"{shown}, line {line}: the file isn't UTF-8.",
            f"Save it as UTF-8.{_more(hint)}",
            details={"where": shown, "line": line},
        ) from None
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ConfigInvalid(f"{shown} nests its values too deeply.", hint) from None
    except ValueError as error:
        # tomllib names places and keys, never values.
        reason = for_display(str(error))
        at = _PLACE.search(reason)
        number = int(at[1]) if at and at[1] else text.rstrip().count("\n") + 1
        reason = _PLACE.sub("", reason).strip()
        raise ConfigInvalid(
            f"{shown}, line {number}: not valid TOML: {reason}.",
            f'Texts need quotes: key = "text".{_more(hint)}',
            details={"where": shown, "line": number},
        ) from None


def _more(hint: str | None) -> str:
    return f" {hint}" if hint else ""
