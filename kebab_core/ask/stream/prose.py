"""A model's deltas as the prose that a reader gets."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from kebab_core.ask.stream.clean import Clean
from kebab_core.ask.stream.markers import Marker, MarkerCheck
from kebab_core.ask.stream.not_found import NotFoundHold
from kebab_core.ask.stream.tail import TailSplitter
from kebab_core.ask.stream.trim import Trim
from kebab_core.ask.tail import Tail


class Stage(Protocol):
    def feed(self, text: str) -> str: ...

    def end(self) -> str: ...


class ProseStream:
    """All filters in a row. What `feed` and `end` return, joined, is `text`, however it was cut.

    `known` are the numbers of the passages given. With `may_abstain` a lone `NOTFOUND` is taken
    for what it means.
    """

    def __init__(self, known: Collection[int], *, may_abstain: bool = True) -> None:
        self.text = ""
        self._tail = TailSplitter()
        self._not_found = NotFoundHold() if may_abstain else None
        self._markers = MarkerCheck(known)
        self._trim = Trim()
        self._stages: list[Stage] = [
            Clean(),
            self._tail,
            *([self._not_found] if self._not_found else []),
            self._markers,
            self._trim,
        ]

    def feed(self, delta: str) -> str:
        """What is settled now; often less, sometimes more than `delta`."""
        return self._through(delta, 0)

    def end(self) -> str:
        """The rest, once the model has ended."""
        rest = ""
        for place, stage in enumerate(self._stages):
            rest += self._through(stage.end(), place + 1)
        return rest

    @property
    def abstained(self) -> bool:
        """After `end`: the model said `NOTFOUND`, and nothing else."""
        return self._not_found is not None and self._not_found.said

    @property
    def tail(self) -> Tail | None:
        """After `end`: what the model wrote after its prose, if that can be read."""
        return self._tail.tail

    @property
    def has_tail(self) -> bool:
        """The prose is complete: a tail was begun after it."""
        return self._tail.seen

    @property
    def markers(self) -> list[Marker]:
        """Markers of `text`, in order, with their offsets there."""
        dropped = self._trim.dropped
        return [Marker(marker.n, marker.offset - dropped) for marker in self._markers.markers]

    def _through(self, text: str, first: int) -> str:
        for stage in self._stages[first:]:
            if not text:
                return ""
            text = stage.feed(text)
        self.text += text
        return text
