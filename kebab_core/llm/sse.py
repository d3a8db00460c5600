"""Decoders of a body that arrives in pieces: lines, and server-sent events made of them.

The rules are those of the HTML standard, section 9.2.6, "Interpreting an event stream". Bytes
may be split anywhere: inside a character, between `\\r` and `\\n`, inside a field's name.
"""

from __future__ import annotations

from dataclasses import dataclass

_FIELDS = frozenset({"", "data", "event", "id", "retry"})

MAX_LINE_BYTES = 4_000_000
"""A longer line is no stream of a model's words."""


class LineTooLong(ValueError):
    """The body has no line end within `MAX_LINE_BYTES`."""


class LineDecoder:
    """Bytes in any pieces → whole lines. Line ends are `\\n`, `\\r\\n` and `\\r`."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._held = 0
        self._after_cr = False

    def feed(self, data: bytes) -> list[str]:
        """The lines that `data` completes, without their ends."""
        if self._after_cr and data[:1] == b"\n":
            data = data[1:]
            self._after_cr = False
        if not data:
            return []
        self._after_cr = data.endswith(b"\r")
        *whole, rest = _split(data)
        if whole:
            whole[0] = b"".join((*self._parts, whole[0]))
            self._parts.clear()
            self._held = 0
        if rest:
            self._parts.append(rest)
            self._held += len(rest)
            if self._held > MAX_LINE_BYTES:
                raise LineTooLong(f"no line end within {MAX_LINE_BYTES} bytes")
        return [line.decode("utf-8", errors="replace") for line in whole]

    def close(self) -> str:
        """What came after the last line end, maybe nothing."""
        rest = b"".join(self._parts)
        self._parts.clear()
        self._held = 0
        return rest.decode("utf-8", errors="replace")


def _split(data: bytes) -> list[bytes]:
    """`data` at its line ends; the last element is what follows the last of them."""
    lines = data.splitlines(keepends=True)
    rest = b"" if lines[-1].endswith((b"\n", b"\r")) else lines.pop()
    return [*(line.rstrip(b"\r\n") for line in lines), rest]


@dataclass(frozen=True, slots=True)
class ServerEvent:
    data: str
    event: str = "message"


class EventDecoder:
    """Bytes in any pieces → server-sent events. Comments count as nothing here."""

    def __init__(self) -> None:
        self.recognised = False
        """Whether any line was one of an event stream, if only a comment."""
        self._lines = LineDecoder()
        self._first = True
        self._event = ""
        self._data: list[str] = []

    def feed(self, data: bytes) -> list[ServerEvent]:
        """The events that `data` completes. Raises LineTooLong."""
        taken = map(self._take, self._lines.feed(data))
        return [event for event in taken if event is not None]

    def close(self) -> list[ServerEvent]:
        """The event that the body's end left without its empty line, if any.

        The standard drops it; servers that close right after `data: [DONE]` exist.
        """
        events = [self._take(self._lines.close()), self._take("")]
        return [event for event in events if event is not None]

    def _take(self, line: str) -> ServerEvent | None:
        if self._first:
            line = line.removeprefix("\ufeff")
            self._first = False
        if not line:
            return self._dispatch()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        self.recognised = self.recognised or field in _FIELDS
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._event = value
        return None  # a comment (empty name), `id`, `retry` or an unknown field

    def _dispatch(self) -> ServerEvent | None:
        event, data = self._event, self._data
        self._event, self._data = "", []
        return ServerEvent("\n".join(data), event or "message") if data else None
