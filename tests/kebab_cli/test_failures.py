"""Failures in words and as `error.v1`."""

from __future__ import annotations

import errno
import json
import os

import pytest

from kebab_cli.failures import as_kebab_error, tell
from kebab_cli.output import Output
from kebab_cli.stream import Stream, WriteFailed
from kebab_core.api import NotFound


@pytest.mark.parametrize(
    ("failure", "code", "says"),
    [
        (NotFound("gone", "look"), "not_found", "gone"),
        (PermissionError(errno.EACCES, "Permission denied", "/x"), "permission_denied", "/x"),
        (OSError(errno.ENOSPC, "No space left on device"), "io_error", "No space left"),
        (FileNotFoundError(errno.ENOENT, "No such file", "/y"), "io_error", "/y"),
        (WriteFailed("stdout", OSError(errno.EIO, "I/O error")), "io_error", "stdout"),
        (ValueError("first line\nand a whole document"), "internal", "ValueError: first line"),
        (RecursionError(), "internal", "RecursionError"),
    ],
)
def test_every_failure_has_a_code(failure: BaseException, code: str, says: str) -> None:
    error = as_kebab_error(failure)
    assert error.code == code
    assert says in error.message
    assert "whole document" not in error.message


def test_a_full_disk_says_what_to_do() -> None:
    assert "room" in (as_kebab_error(OSError(errno.ENOSPC, "No space left")).hint or "")


def told(failure: BaseException, *, machine: bool = False, debug: bool = False) -> str:
    reading, writing = os.pipe()
    output = Output()
    output.stderr = Stream(writing, "stderr")
    output.machine, output.debug = machine, debug
    tell(failure, output)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        return pipe.read()


def test_people_get_message_and_hint() -> None:
    assert told(NotFound("No \x1b[2Jsuch thing.", "Look.")) == (
        "kebab: No ␛[2Jsuch thing.\n  Look.\n"
    )


def test_machines_get_one_line() -> None:
    error = json.loads(told(NotFound("No such thing."), machine=True))
    assert error == {
        "schema_version": "error.v1",
        "code": "not_found",
        "message": "No such thing.",
        "hint": None,
        "details": {},
    }


def test_debug_shows_where() -> None:
    try:
        raise NotFound("here")
    except NotFound as failure:
        shown = told(failure, debug=True)
    assert "test_failures.py" in shown
    assert "Traceback" in shown


def test_a_stderr_that_is_gone_is_no_failure_of_its_own() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    output = Output()
    output.stderr = Stream(writing, "stderr")
    tell(NotFound("unheard"), output)
