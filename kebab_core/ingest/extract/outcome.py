"""Why a file gives no document."""

from __future__ import annotations


class Skipped(Exception):
    """There is nothing to read in it. `kind` is a stable word for counting, `reason` says it."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason


class Failed(Exception):
    """There should be something to read, and it could not be. `reason` says why and what helps."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
