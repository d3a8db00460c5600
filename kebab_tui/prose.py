"""Prose on its way from the run's thread to the screen."""

from __future__ import annotations

import threading

from kebab_core.api import for_display


class Prose:
    """Collects pieces between two frames, so that a fast model costs no more than a slow one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._parts: list[str] = []
        self._announced = False
        self._held = ""

    def put(self, piece: str) -> bool:
        """Add `piece`; True if the screen has to be told that there is something."""
        with self._lock:
            self._parts.append(piece)
            tell, self._announced = not self._announced, True
            return tell

    def take(self, *, last: bool = False) -> tuple[str, int]:
        """All prose since the last call, safe to show, and in how many pieces it came.

        A carriage return at the end is held back: with the newline that may follow it is one
        line end.
        """
        with self._lock:
            parts, self._parts, self._announced = self._parts, [], False
        text = self._held + "".join(parts)
        self._held = ""
        if text.endswith("\r") and not last:
            text, self._held = text[:-1], "\r"
        return for_display(text), len(parts)
