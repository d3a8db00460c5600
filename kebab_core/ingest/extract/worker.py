"""A process that reads one file after the other, and may be killed at any moment.

It knows nothing but names and bytes: no corpus, no settings, no keys. Started by `process`.
"""

from __future__ import annotations

import json
import os
import signal
import sys

from kebab_core.ingest import extract
from kebab_core.ingest.extract.crossing import Message, packed, receive, send
from kebab_core.ingest.extract.outcome import Failed, Skipped

_LARGE_BYTES = 400_000_000
"""A process that once grew beyond this ends after its file: not all libraries give memory back."""

_STATUS = "/proc/self/status"


def main(max_seconds: int, max_bytes: int) -> None:
    """Until the other side closes."""
    requests = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    # What a library prints must not get between the replies.
    with open(os.devnull, "r+b", buffering=0) as nothing:  # noqa: PTH123
        for descriptor in (0, 1, 2):
            os.dup2(nothing.fileno(), descriptor)
    _take_limits(max_bytes)
    send(replies, Message(b"r", b"", b""))  # ready
    while (request := receive(requests)) is not None:
        # Should nobody be left to end it: the signal needs no turn of the interpreter.
        _alarm(max_seconds + 5)
        reply = _read(request.head.decode("utf-8", "surrogatepass"), request.body)
        del request
        is_last = reply.kind == b"m" or _peak_bytes() > _LARGE_BYTES
        try:
            send(replies, reply._replace(kind=reply.kind.upper()) if is_last else reply)
        except OSError:
            return
        _alarm(0)
        if is_last:
            return


def _read(name: str, data: bytes) -> Message:
    try:
        return packed(extract.read(name, data))
    except Skipped as skipped:
        return Message(b"s", json.dumps([skipped.kind, skipped.reason]).encode(), b"")
    except Failed as failed:
        return _failed(failed.reason)
    except MemoryError:
        return Message(b"m", b"", b"")
    except RecursionError:
        return _failed("nested too deeply")
    except Exception as failure:  # noqa: BLE001 (a library may raise anything; it goes to the report)
        words = " ".join(str(failure).split())[:200]
        return _failed(f"can't be read: {words or type(failure).__name__}")


def _failed(reason: str) -> Message:
    return Message(b"f", json.dumps(reason).encode(), b"")


def _take_limits(max_bytes: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    # Ctrl-C reaches the whole group; whoever started this one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Where both exist, what is written to counts and not what is merely mapped.
    limits = [resource.RLIMIT_DATA, resource.RLIMIT_AS]
    for limit in limits[: 1 if sys.platform == "linux" else 2]:
        _, hard = resource.getrlimit(limit)
        most = max_bytes if hard == resource.RLIM_INFINITY else min(max_bytes, hard)
        try:
            resource.setrlimit(limit, (most, most))
        except (OSError, ValueError):
            continue  # macOS has the names, and refuses


def _alarm(seconds: int) -> None:
    if sys.platform != "win32":
        signal.alarm(seconds)


def _peak_bytes() -> int:
    if sys.platform == "win32":
        return 0
    if os.path.exists(_STATUS):  # noqa: PTH110
        # Linux: getrusage's peak is taken over from whoever started this process.
        with open(_STATUS, encoding="ascii", errors="replace") as status:  # noqa: PTH123
            lines = dict(line.split(":", 1) for line in status if ":" in line)
        return int(lines["VmHWM"].split()[0]) * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
