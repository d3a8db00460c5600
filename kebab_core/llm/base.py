"""What a chat model must be able to do, and what passes to and from it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from kebab_core.types import Hit, Usage


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asks for. `arguments` is its raw JSON text, maybe malformed."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolSpec:
    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One model turn. `question` and `passages` are what `quote` works from."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_tokens: int = 4000
    temperature: float = 0.2
    thinking: bool = False
    question: str = ""
    passages: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class TextDelta:
    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """Reasoning. It never reaches a reader; it only shows that the model is alive."""

    text: str


@dataclass(frozen=True, slots=True)
class Finish:
    """Always the last delta of a stream that ended by itself. `model` is what the server said."""

    reason: Literal["stop", "length", "tool_calls"]
    usage: Usage | None = None
    model: str | None = None


ChatDelta: TypeAlias = TextDelta | ThinkingDelta | ToolCall | Finish


@runtime_checkable
class ChatModel(Protocol):
    """A model that streams. Cancelling the task that iterates closes its connection."""

    @property
    def id(self) -> str: ...

    @property
    def provider(self) -> str: ...

    @property
    def context_tokens(self) -> int | None:
        """The context window where the server tells it, else None."""

    @property
    def can_call_tools(self) -> bool: ...

    def stream(self, request: ChatRequest) -> AsyncIterator[ChatDelta]:
        """Deltas as they arrive, `Finish` last.

        Raises a `ModelError` of `kebab_core.errors`: `ModelInterrupted` once any text was
        yielded, else the one that says why nothing came.
        """

    async def warm(self) -> None:
        """Open the connection (and make the server load the model) ahead of the first ask."""

    async def aclose(self) -> None: ...
