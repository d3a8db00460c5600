"""A reading process that does what a file's text says, as a damaged file would make it do."""

from __future__ import annotations

import psutil

HOSTILE = """
import json, os, sys
sys.path[:] = json.loads(sys.argv[1])
from kebab_core.ingest import extract
from kebab_core.ingest.extract import worker
def read(name, data, real=extract.read):
    words = data.decode()
    if words == "hang":
        while True: pass
    if words == "crash":
        os.kill(os.getpid(), 11)
    if words == "bloat":
        return bytearray(3 << 30)
    if words == "leave":
        os._exit(3)
    if words == "raise":
        raise KeyError("no such part")
    if words == "print":
        os.write(1, b"x" * 99); print("y" * 99, flush=True)
    if words == "modules":
        return real("a.txt", " ".join(sys.modules).encode())
    if words == "environment":
        return real("a.txt", " ".join(["names", *os.environ]).encode())
    if words == "large":
        worker._LARGE_BYTES = 0
    return real(name, data)
extract.read = read
worker.main(int(sys.argv[2]), int(sys.argv[3]))
"""
"""In the place of `process._PROGRAM`."""


def children() -> list[psutil.Process]:
    """The reading processes of this one, zombies too, without what other tests have left."""
    return [
        child
        for child in psutil.Process().children()
        if child.pid not in _BEFORE
        and (child.status() == psutil.STATUS_ZOMBIE or "-I" in child.cmdline())
    ]


def begin() -> None:
    """From now on, processes that are there already are none of ours."""
    _BEFORE.clear()
    _BEFORE.update(child.pid for child in psutil.Process().children())


_BEFORE: set[int] = set()
