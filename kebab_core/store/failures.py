"""What LanceDB and the operating system report, as failures that say what to do."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from kebab_core.errors import IOFailed, KebabError, PermissionDenied

_OS_ERROR = re.compile(r"\(os error (\d+)\)")
# Where in Rust's sources it happened: nothing for a person, and a path of someone's machine.
_SOURCE_PLACE = re.compile(r",?\s*\S*/[\w.-]+\.rs:\d+(?::\d+)?")
_PREFIX = re.compile(r"^(?:lance error: )?(?:LanceError\(\w+\): )?")
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
_DETAIL_LENGTH = 300


class Vanished(Exception):
    """A table that was there is gone: its directory was deleted."""


def is_missing_file(failure: BaseException) -> bool:
    """Whether a file of a version was gone: it was tidied away just then, or the table is."""
    text = str(failure)
    return isinstance(failure, RuntimeError | OSError) and (
        "Not found" in text or "(os error 2)" in text
    )


@contextmanager
def reported(doing: str) -> Iterator[None]:
    """Turn failures of LanceDB and the disk into KebabErrors; `doing` completes "… failed".

    A ValueError or TypeError is a mistake of ours and passes through.
    """
    try:
        yield
    except KebabError:
        raise
    except OSError as error:
        raise os_failure(error, f"{doing} failed") from error
    except RuntimeError as error:
        text = str(error)
        if "Not found" in text and "_versions" in text:
            raise Vanished(text) from error
        if number := _OS_ERROR.search(text):
            code = int(number.group(1))
            raise os_failure(OSError(code, os.strerror(code)), f"{doing} failed") from error
        raise IOFailed(
            f"{doing} failed: {_brief(text)}",
            "Run it again; if it stays, `kebab doctor` looks closer, and "
            "`kebab ingest --force` makes the corpus anew.",
        ) from error


def os_failure(error: OSError, what: str) -> KebabError:
    """IOFailed or PermissionDenied for an error of the operating system."""
    reason = error.strerror or str(error)
    if error.errno in _FULL:
        return IOFailed(
            f"{what}: no room is left on the disk ({reason}).",
            "Free some space or choose another place with `--data-dir DIR`; what was committed "
            "before is kept.",
        )
    if error.errno in _FORBIDDEN:
        return PermissionDenied(
            f"{what}: {reason}.",
            "Change its permissions, or choose another place with `--data-dir DIR`.",
        )
    return IOFailed(f"{what}: {reason}.", "Look at the place, or choose another `--data-dir DIR`.")


def _brief(text: str) -> str:
    first = _SOURCE_PLACE.sub("", _PREFIX.sub("", text.split("\n", 1)[0])).strip()
    return first if len(first) <= _DETAIL_LENGTH else first[:_DETAIL_LENGTH] + "…"
