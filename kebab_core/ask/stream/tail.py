"""Splits the tail, a line of three hyphens and a JSON object, from the prose before it.

Not one byte of the tail may reach a reader.
"""

from __future__ import annotations

import json
from enum import Enum

from kebab_core.ask.stream.code import CodeState
from kebab_core.ask.tail import KEYS, Tail

_KEYS = tuple(f'"{key}"' for key in KEYS)
_RULE = "---"


class _Is(Enum):
    SENTINEL = 1
    MAYBE = 2
    PROSE = 3


class TailSplitter:
    """Prose in, prose out; after `end`, `tail` holds what followed it.

    A rule is the sentinel only if a brace and one of the tail's keys follow, and never in an open
    code fence. Should a second one come, the first was prose: what was withheld for it is given
    back by `end`, in one piece. `seen` says that a sentinel came, whatever its JSON was worth.
    """

    def __init__(self) -> None:
        self.tail: Tail | None = None
        self.seen = False
        self._code = CodeState()
        self._held = ""
        self._withheld: list[str] = []

    def feed(self, text: str) -> str:
        if self.seen:
            self._withheld.append(text)
            return ""
        return self._scan(text)

    def end(self) -> str:
        if self.seen:
            withheld = "".join(self._withheld)
            self._withheld.clear()
            last = _last_sentinel(withheld)
            self.tail = _parsed(withheld[last + len(_RULE) :])
            return withheld[:last]
        prose, self._held = self._held, ""
        # A brace after the rule: cut off in its first key.
        self.seen = "{" in prose
        return "" if self.seen else prose

    def _scan(self, text: str) -> str:
        prose = []
        for place, char in enumerate(text):
            prose.append(self._take(char))
            if self.seen:
                self._withheld.append(text[place + 1 :])
                break
        return "".join(prose)

    def _take(self, char: str) -> str:
        if not self._held and not (
            char == "-" and self._code.at_line_start and not self._code.in_fence
        ):
            self._code.advance(char)
            return char
        self._held += char
        match _judge(self._held):
            case _Is.MAYBE:
                return ""
            case _Is.SENTINEL:
                self.seen = True
                self._withheld.append(self._held)
                self._held = ""
                return ""
            case _:
                return self._release()

    def _release(self) -> str:
        """The first character is prose after all; the others are looked at anew."""
        held, self._held = self._held, ""
        self._code.advance(held[0])
        return held[0] + "".join([self._take(char) for char in held[1:]])


def _judge(text: str) -> _Is:
    """What `text`, at a line's start, is or could become."""
    if len(text) <= len(_RULE):
        return _Is.MAYBE if _RULE.startswith(text) else _Is.PROSE
    if not text.startswith(_RULE):
        return _Is.PROSE
    rest = text[len(_RULE) :].lstrip()
    if not rest:
        return _Is.MAYBE
    if rest[0] != "{":
        return _Is.PROSE
    key = rest[1:].lstrip()
    if any(key.startswith(known) for known in _KEYS):
        return _Is.SENTINEL
    return _Is.MAYBE if any(known.startswith(key) for known in _KEYS) else _Is.PROSE


def _last_sentinel(text: str) -> int:
    """The offset of the last sentinel in `text`, which begins with one."""
    code = CodeState()
    last = 0
    for place, char in enumerate(text):
        begins = char == "-" and code.at_line_start and not code.in_fence
        if begins and _judge(text[place:]) is _Is.SENTINEL:
            last = place
        code.advance(char)
    return last


def _parsed(text: str) -> Tail | None:
    """The tail's meaning; None where its JSON is broken or cut off."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return None
    return Tail.of(value) if isinstance(value, dict) else None
