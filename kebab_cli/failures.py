"""Every failure as a person reads it, or as `error.v1` where a machine reads."""

from __future__ import annotations

import errno
import traceback
from typing import TYPE_CHECKING

from kebab_cli.notices import say, say_hint
from kebab_cli.output import Output, PipeClosed, WriteFailed, bad
from kebab_core import api

if TYPE_CHECKING:
    from kebab_core.api import KebabError

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def as_kebab_error(failure: BaseException) -> KebabError:
    """The failure with its code; what nobody foresaw becomes `internal`."""
    if isinstance(failure, api.KebabError):
        return failure
    if isinstance(failure, WriteFailed):
        return _of_write(failure)
    if isinstance(failure, OSError):
        return _of_system(failure)
    summary = str(failure).strip().split("\n", 1)[0][:300]
    what = type(failure).__name__ + (f": {summary}" if summary else "")
    return api.Internal(
        f"kebab met a failure it doesn't know: {what}",
        "Run the same command with `--debug` to see where, and report it.",
    )


def _of_write(failure: WriteFailed) -> KebabError:
    why = failure.cause.strerror or str(failure.cause)
    hint = (
        "Make room on the disk, or write somewhere else."
        if failure.cause.errno in _FULL
        else "Write somewhere else."
    )
    return api.IOFailed(f"Writing to {failure.stream} failed: {why}.", hint)


def _of_system(failure: OSError) -> KebabError:
    why = failure.strerror or str(failure) or type(failure).__name__
    where = f" ({failure.filename})" if failure.filename else ""
    if isinstance(failure, PermissionError):
        return api.PermissionDenied(
            f"The system refused: {why}{where}.",
            "Check who owns it, or choose another place with `--data-dir DIR`.",
        )
    hint = "Make room on the disk and try again." if failure.errno in _FULL else None
    return api.IOFailed(f"The system reported: {why}{where}.", hint)


def tell(failure: BaseException, output: Output) -> None:
    """Say it on stderr. What can't be said any more is left unsaid: the exit code stays."""
    error = as_kebab_error(failure)
    try:
        if output.debug:
            output.stderr.write("".join(traceback.format_exception(failure)))
        if output.machine:
            output.event(api.Error.of(error).to_line())
            return
        output.quiet = False
        say(output, bad("kebab: "), error.message)
        if error.hint:
            say_hint(output, error.hint)
    except (PipeClosed, WriteFailed):
        return
