"""The bytes of one regular file, with the size and time they had when reading began."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Content:
    """`truncated`: the file is longer than what was asked for. `mtime_ns` and `byte_len` are from
    before the first byte was read: a change while reading shows as a difference next time."""

    data: bytes
    byte_len: int
    mtime_ns: int
    truncated: bool


def read_file(path: str, limit: int) -> Content:
    """At most `limit` bytes. Raises OSError, also where `path` is no regular file (any more)."""
    # Not blocking: a FIFO that took the file's place must not hold up the run.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError("not a regular file")
        pieces: list[bytes] = []
        left = limit + 1
        while left > 0 and (piece := file.read(min(left, 1 << 22))):
            pieces.append(piece)
            left -= len(piece)
    data = b"".join(pieces)
    return Content(data[:limit], found.st_size, found.st_mtime_ns, len(data) > limit)


def reason_of(failure: OSError) -> str:
    """What went wrong, in the system's words, without the path."""
    return (failure.strerror or str(failure) or type(failure).__name__).lower()
