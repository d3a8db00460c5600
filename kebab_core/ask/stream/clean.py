"""A model's text made safe: no control sequences, no halves of characters, one kind of newline."""

from __future__ import annotations

import re

from kebab_core.text.clean import for_display

_SURROGATE = re.compile(r"[\ud800-\udfff]")
_UNSETTLED = re.compile(r"(?:\r|[\ud800-\udbff])\Z")


class Clean:
    """`for_display`, also where a CRLF or a surrogate pair arrives in two deltas."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        text = self._held + text
        unsettled = _UNSETTLED.search(text)
        self._held = unsettled.group() if unsettled else ""
        return _clean(text[: len(text) - len(self._held)])

    def end(self) -> str:
        text, self._held = self._held, ""
        return _clean(text)


def _clean(text: str) -> str:
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return for_display(text)
