"""What a scripted model does, step by step, and how to read that from a JSON file."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

Pieces: TypeAlias = str | Sequence[str]


class Step:
    """One thing that a scripted model does."""


@dataclass(frozen=True)
class Say(Step):
    """Prose: one delta, or one for each piece, `every` seconds apart."""

    text: Pieces
    every: float = 0.0

    @classmethod
    def words(cls, text: str, every: float = 0.0) -> Say:
        """`text` in deltas of a word each, as most models write."""
        parts = text.split(" ")
        return cls([word + " " for word in parts[:-1]] + parts[-1:], every)


@dataclass(frozen=True)
class Think(Step):
    """Reasoning in the protocol's own field. For tagged reasoning, `Say("<think>…")`."""

    text: Pieces


@dataclass(frozen=True)
class Call(Step):
    """A tool call. `arguments` is an object, or JSON text, whole or in pieces, maybe malformed."""

    name: str
    arguments: Pieces | Mapping[str, Any] = "{}"
    id: str | None = None

    def pieces(self) -> list[str]:
        if isinstance(self.arguments, Mapping):
            return [json.dumps(self.arguments, ensure_ascii=False)]
        return _pieces(self.arguments)


@dataclass(frozen=True)
class Calls(Step):
    """Parallel tool calls whose pieces arrive interleaved."""

    calls: Sequence[Call]


@dataclass(frozen=True)
class Pause(Step):
    """Silence."""

    seconds: float


@dataclass(frozen=True)
class Wait(Step):
    """Silence until the event is set."""

    event: threading.Event


@dataclass(frozen=True)
class Hang(Step):
    """Silence for ever: until the client hangs up or the server is closed."""


@dataclass(frozen=True)
class KeepAlive(Step):
    """A sign of life that says nothing: a comment, a `ping`, an empty line."""


@dataclass(frozen=True)
class Cut(Step):
    """Break the connection here, in the middle of the response."""


@dataclass(frozen=True)
class End(Step):
    """End the response in good order, but without the protocol's own ending."""


@dataclass(frozen=True)
class Status(Step):
    """Answer with this status and no stream. Must be a turn's first step, pauses aside."""

    code: int
    body: str | Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Html(Step):
    """Answer 200 with a web page, as a wrong address or a login page does."""

    text: str = "<!doctype html><html><head><title>Welcome</title></head><body>Hi</body></html>"


@dataclass(frozen=True)
class Raw(Step):
    """These bytes of the body, as they are."""

    data: bytes | str


@dataclass(frozen=True)
class Fail(Step):
    """An error in the stream, in the protocol's own form."""

    message: str
    type: str = "server_error"
    code: int | str | None = None


@dataclass(frozen=True)
class Usage(Step):
    """What the server reports at the end, instead of counting words. `cost` as OpenRouter's."""

    prompt: int
    completion: int
    cost: float | None = None


@dataclass(frozen=True)
class Finish(Step):
    """The reason given at the end, in OpenAI's words, instead of the one that fits."""

    reason: str


Turn: TypeAlias = Sequence[Step]

_STEPS: dict[str, Any] = {
    "say": lambda v: Say(**v) if isinstance(v, Mapping) else Say(v),
    "words": lambda v: Say.words(**v) if isinstance(v, Mapping) else Say.words(v),
    "think": Think,
    "call": lambda v: Call(**v),
    "calls": lambda v: Calls([Call(**call) for call in v]),
    "pause": lambda v: Pause(float(v)),
    "hang": lambda v: Hang(),
    "keep_alive": lambda v: KeepAlive(),
    "cut": lambda v: Cut(),
    "end": lambda v: End(),
    "status": lambda v: Status(v) if isinstance(v, int) else Status(**v),
    "html": lambda v: Html(v) if isinstance(v, str) else Html(),
    "raw": Raw,
    "fail": lambda v: Fail(v) if isinstance(v, str) else Fail(**v),
    "usage": lambda v: Usage(**v),
    "finish": Finish,
}


def step_from_json(value: Any) -> Step:
    """`"text"` says it; `{"call": {"name": …}}` and so on name any other step.

    Raises ValueError for a step that doesn't exist.
    """
    if isinstance(value, str):
        return Say(value)
    if isinstance(value, Mapping) and len(value) == 1:
        [(name, argument)] = value.items()
        if name in _STEPS:
            step: Step = _STEPS[name](argument)
            return step
    names = ", ".join(sorted(_STEPS))
    raise ValueError(f"no such step: {value!r} (a string, or one of: {names})")


def turns_from_json(values: Sequence[Any]) -> list[Turn]:
    """A list of turns; a turn is a list of steps, or a string that it says word by word."""
    return [
        [Say.words(turn)] if isinstance(turn, str) else [step_from_json(step) for step in turn]
        for turn in values
    ]


def load_script(path: str | Path) -> dict[str, Any]:
    """Arguments for `ScriptedModel` from a JSON file: `turns` and any of its options."""
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    if isinstance(content, list):
        content = {"turns": content}
    return {**content, "turns": turns_from_json(content["turns"])}


def _pieces(text: Pieces) -> list[str]:
    return [text] if isinstance(text, str) else list(text)
