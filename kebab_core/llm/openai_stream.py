"""The events of one OpenAI completion, made the deltas of a chat model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kebab_core.errors import ModelRefused
from kebab_core.llm import failures
from kebab_core.llm.base import ChatDelta, Finish, TextDelta, ThinkingDelta
from kebab_core.llm.endpoint import Endpoint
from kebab_core.llm.failures import Broken, SaidError
from kebab_core.llm.sse import ServerEvent
from kebab_core.llm.tool_calls import ToolCallAssembly
from kebab_core.types import Usage

_DONE = "[DONE]"
_REASONS = {
    "stop": "stop",
    "eos": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}


class Completion:
    """The events of one completion, read one at a time."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.events = 0
        self.done = False
        self._endpoint = endpoint
        self._calls = ToolCallAssembly()
        self._reason: str | None = None
        self._usage: Usage | None = None
        self._model: str | None = None
        self._wrote = False
        self._has_choices = False

    @property
    def finished(self) -> bool:
        """The model is: a usage count and `[DONE]` may still follow."""
        return self.done or self._reason is not None

    def whole(self, text: str) -> Iterator[ChatDelta]:
        """The deltas of a completion that came unstreamed."""
        yield from self.event(ServerEvent(text))
        if not self._has_choices:
            raise failures.not_a_model(self._endpoint, "JSON that is no completion")
        self.done = True
        yield from self.close()

    def event(self, event: ServerEvent, *, cut: bool = False) -> Iterator[ChatDelta]:
        """The deltas of one event; with `cut` it may be the torn end of the stream.

        Raises SaidError, Broken, or ModelUnreachable for what is no JSON.
        """
        if event.data.strip() == _DONE:
            self.events += 1
            self.done = True
            return
        try:
            value = json.loads(event.data)
        except (ValueError, RecursionError):
            if cut:
                return
            if self.events:
                raise Broken("sent an event that is no JSON") from None
            shown = self._endpoint.shown(event.data[:80])
            raise failures.not_a_model(self._endpoint, f"no JSON but {shown!r}") from None
        self.events += 1
        if not isinstance(value, dict):
            return
        if value.get("error") or event.event == "error":
            raise SaidError(value)
        self._model = value.get("model") if isinstance(value.get("model"), str) else self._model
        self._usage = self._read_usage(value.get("usage")) or self._usage
        choices = value.get("choices")
        if isinstance(choices, list) and choices and isinstance(choices[0], dict):
            self._has_choices = True
            yield from self._choice(choices[0])

    def close(self) -> Iterator[ChatDelta]:
        """Tool calls, and `Finish` if the server said in any way that it was done."""
        if self._reason == "content_filter":
            if self._wrote:
                raise Broken("stopped it: the provider's content filter stepped in")
            raise ModelRefused(
                f"{self._endpoint.who} gave no answer: the provider's content filter stepped in.",
                f"Ask in other words, {failures.WITHOUT_A_MODEL}.",
                details=failures.details(self._endpoint),
            )
        if not self.finished:
            return
        yield from self._calls.calls()
        reason: Any = _REASONS.get(self._reason or "stop", "stop")
        yield Finish(reason, usage=self._usage, model=self._model)

    def _choice(self, choice: dict[str, Any]) -> Iterator[ChatDelta]:
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            for name in ("reasoning_content", "reasoning"):
                if isinstance(thought := delta.get(name), str) and thought:
                    self._wrote = True
                    yield ThinkingDelta(thought)
                    break
            if text := _content(delta.get("content")):
                self._wrote = True
                yield TextDelta(text)
            calls = delta.get("tool_calls")
            for piece in calls if isinstance(calls, list) else ():
                self._calls.add(piece)
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            if reason == "error":
                raise SaidError(choice)
            self._reason = reason

    def _read_usage(self, usage: object) -> Usage | None:
        if not isinstance(usage, dict):
            return None
        cost = usage.get("cost") if self._endpoint.provider == "openrouter" else None
        return Usage(
            prompt_tokens=count_of(usage.get("prompt_tokens")),
            completion_tokens=count_of(usage.get("completion_tokens")),
            usd=float(cost) if isinstance(cost, int | float) else None,
        )


def _content(value: object) -> str:
    """Text, or the texts of a list of parts as some servers send it."""
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def count_of(value: object) -> int:
    """A number of tokens as a server wrote it, 0 for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
