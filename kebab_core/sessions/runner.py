"""Which process runs a turn, and whether it still lives."""

from __future__ import annotations

import functools
import os
import socket
import sys
from pathlib import Path


def this_process() -> str:
    """`HOST PID START`: a number used again by a later process has another start."""
    return _named(os.getpid())


@functools.cache
def _named(pid: int) -> str:
    return f"{_host()} {pid} {_started(pid) or '-'}"


@functools.cache
def _host() -> str:
    return socket.gethostname().replace(" ", "-")


def is_alive(runner: str | None) -> bool | None:
    """Whether that process still runs; None where that can't be known (another machine's)."""
    parts = (runner or "").split(" ", 2)
    if len(parts) != 3 or not parts[1].isdigit():
        return False
    host, pid, start = parts[0], int(parts[1]), parts[2]
    if host != _host():
        return None
    started = _started(pid)
    return started is not None and start in (started, "-")


if sys.platform == "linux":

    def _started(pid: int) -> str | None:
        """When process `pid` started, in the platform's own words; None if there is none."""
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            return None
        # Fields from the third on, after the program's name in parentheses: proc(5), field 22.
        fields = stat.rpartition(")")[2].split()
        if fields[0] in ("Z", "X"):  # dead, only not buried yet
            return None
        return fields[19]

elif sys.platform == "win32":

    def _started(pid: int) -> str | None:
        import ctypes
        from ctypes import wintypes

        query_limited_information, still_active = 0x1000, 259
        kernel = ctypes.windll.kernel32
        handle = kernel.OpenProcess(query_limited_information, False, pid)
        if not handle:
            return None
        try:
            code = wintypes.DWORD()
            if kernel.GetExitCodeProcess(handle, ctypes.byref(code)) and code.value != still_active:
                return None
            times = [wintypes.FILETIME() for _ in range(4)]
            if not kernel.GetProcessTimes(handle, *map(ctypes.byref, times)):
                return "-"
            return f"{times[0].dwHighDateTime}.{times[0].dwLowDateTime}"
        finally:
            kernel.CloseHandle(handle)

else:

    def _started(pid: int) -> str | None:
        import subprocess

        listed = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
        return listed.stdout.strip() or None
