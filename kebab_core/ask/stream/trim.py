"""White space at both ends of an answer never goes out."""

from __future__ import annotations


class Trim:
    """`dropped` counts the characters left out at the beginning."""

    def __init__(self) -> None:
        self.dropped = 0
        self._held = ""
        self._begun = False

    def feed(self, text: str) -> str:
        if not self._begun:
            bare = text.lstrip()
            self.dropped += len(text) - len(bare)
            text = bare
            self._begun = bool(text)
        text = self._held + text
        settled = text.rstrip()
        self._held = text[len(settled) :]
        return settled

    def end(self) -> str:
        self._held = ""
        return ""
