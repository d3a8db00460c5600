"""Holds back text that could still turn out to be `NOTFOUND` and nothing else."""

from __future__ import annotations

WORD = "NOTFOUND"
_LETTERS = WORD.casefold()


class NotFoundHold:
    """After `end`, `said` tells whether the model wrote `NOTFOUND` alone.

    Alone but for space, case and punctuation; amid prose the word is prose.
    """

    def __init__(self) -> None:
        self.said = False
        self._held: list[str] | None = []
        self._letters = ""

    def feed(self, text: str) -> str:
        if self._held is None:
            return text
        self._held.append(text)
        self._letters += "".join(filter(str.isalnum, text)).casefold()
        if _LETTERS.startswith(self._letters):
            return ""
        prose = "".join(self._held)
        self._held = None
        return prose

    def end(self) -> str:
        if self._held is None:
            return ""
        prose = "".join(self._held)
        self._held = None
        self.said = self._letters == _LETTERS
        return "" if self.said else prose
