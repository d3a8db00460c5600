"""A body of server-sent events, with their ids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kebab_core.llm.sse import LineDecoder


@dataclass(frozen=True, slots=True)
class Line:
    """`id` is 0 where the event had none."""

    id: int
    event: str
    data: str


class LinesDecoder:
    """Bytes in any pieces → events. What a body's end leaves unfinished is no event."""

    def __init__(self) -> None:
        self._lines = LineDecoder()
        self._fields: dict[str, str] = {}

    def feed(self, data: bytes) -> Iterator[Line]:
        """The events that `data` completes. Raises LineTooLong."""
        for line in self._lines.feed(data):
            if line:
                name, _, value = line.partition(":")
                value = value.removeprefix(" ")
                if name == "data" and "data" in self._fields:
                    value = f"{self._fields['data']}\n{value}"
                self._fields[name] = value
                continue
            fields, self._fields = self._fields, {}
            if "data" in fields:
                number = fields.get("id", "")
                found = int(number) if number.isdecimal() else 0
                yield Line(found, fields.get("event", "message"), fields["data"])
