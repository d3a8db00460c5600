"""Anthropic's Messages API, streamed."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterator
from typing import Any, Literal

from kebab_core.errors import ModelRefused
from kebab_core.llm import failures
from kebab_core.llm.base import (
    ChatDelta,
    ChatRequest,
    Finish,
    Message,
    TextDelta,
    ThinkingDelta,
    ToolCall,
)
from kebab_core.llm.connection import Reply
from kebab_core.llm.endpoint import Endpoint
from kebab_core.llm.failures import Broken, SaidError
from kebab_core.llm.server_error import read_error
from kebab_core.llm.sse import EventDecoder, ServerEvent
from kebab_core.llm.streaming import LISTING_SECONDS, WARM_SECONDS, StreamingModel, without_tools
from kebab_core.llm.tool_calls import arguments_of
from kebab_core.types import Usage

VERSION = "2023-06-01"
LEAST_THINKING = 1024
"""The API's least `budget_tokens`."""

_REASONS: dict[str, Literal["stop", "length", "tool_calls"]] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
}


class Anthropic(StreamingModel):
    """A Claude model."""

    path = "/messages"

    def __init__(self, endpoint: Endpoint) -> None:
        key = {"x-api-key": endpoint.key} if endpoint.key else {}
        super().__init__(endpoint, headers={"anthropic-version": VERSION, **key})

    # --- the request ---------------------------------------------------------------------

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        without = self._traits.without
        messages = request.messages if "tools" not in without else without_tools(request.messages)
        body: dict[str, Any] = {
            "model": self.id,
            "messages": _messages(messages),
            "max_tokens": request.max_tokens,
            "stream": True,
        }
        system = "\n\n".join(m.content for m in messages if m.role == "system")
        if system:
            body["system"] = system
        used = {call.name for message in messages for call in message.tool_calls}
        budget = request.max_tokens // 2
        # A turn after tool calls would have to bring the signed reasoning before them along.
        if request.thinking and not used and budget >= LEAST_THINKING:
            body["thinking"] = {"type": "enabled", "budget_tokens": budget}
        else:
            body["temperature"] = min(request.temperature, 1.0)
        if request.tools:
            body["tools"] = [
                {
                    "name": tool.name,
                    "description": tool.description,
                    "input_schema": tool.parameters,
                }
                for tool in request.tools
            ]
        elif used:
            # Tools must be declared while calls of theirs are in the conversation.
            schema = {"type": "object"}
            body["tools"] = [{"name": name, "input_schema": schema} for name in sorted(used)]
            body["tool_choice"] = {"type": "none"}
        return {name: value for name, value in body.items() if name not in without}

    # --- the reply -----------------------------------------------------------------------

    async def _deltas(self, reply: Reply) -> AsyncGenerator[ChatDelta, None]:
        if reply.kind != "text/event-stream":
            shown = self._endpoint.shown((await reply.text())[:80])
            what = "a web page" if reply.kind == "text/html" else f"no event stream but {shown!r}"
            raise failures.not_a_model(self._endpoint, what)
        decoder, events = EventDecoder(), _Events()
        while not events.done and (chunk := await reply.chunk(done=events.stop_reason is not None)):
            for event in decoder.feed(chunk):
                for delta in events.read(event):
                    yield delta
        if events.done:
            await reply.drain()
        if events.stop_reason == "refusal" and not events.wrote:
            raise ModelRefused(
                f"{self._endpoint.model} declined to answer.",
                f"Ask in other words, {failures.WITHOUT_A_MODEL}.",
                details=failures.details(self._endpoint),
            )
        if events.stop_reason is not None:
            yield events.finish()

    # --- the server ----------------------------------------------------------------------

    async def warm(self) -> None:
        """Open the connection and check key and model. Raises a ModelError if they don't do."""
        path = f"/models/{self.id}"
        status, body = await self._connection.ask("GET", path, seconds=WARM_SECONDS)
        if status == 404:
            # A gateway that only passes messages on has no such address either.
            if available := await self._available_or_none():
                error = read_error(body)
                raise failures.by_status(self._endpoint, 404, error, {}, available)
            return
        if status in (401, 403, 429) or status >= 500:
            raise failures.by_status(self._endpoint, status, read_error(body), {})
        if isinstance(body, dict) and isinstance(most := body.get("max_input_tokens"), int):
            self._traits.context_tokens = most or None

    async def _available(self) -> list[str]:
        _, body = await self._connection.ask("GET", "/models", seconds=LISTING_SECONDS)
        data = body.get("data") if isinstance(body, dict) else None
        entries = data if isinstance(data, list) else []
        return [str(one["id"]) for one in entries if isinstance(one, dict) and one.get("id")]


class _Events:
    """The events of one message, read one at a time."""

    def __init__(self) -> None:
        self.done = False
        self.wrote = False
        self.stop_reason: str | None = None
        self._model: str | None = None
        self._input = 0
        self._output = 0
        self._call: ToolCall | None = None
        self._arguments: list[str] = []

    def read(self, event: ServerEvent) -> Iterator[ChatDelta]:
        try:
            value = json.loads(event.data)
        except (ValueError, RecursionError):
            raise Broken("sent an event that is no JSON") from None
        if not isinstance(value, dict):
            return
        kind = value.get("type") or event.event
        if kind == "error":
            raise SaidError(value)
        if kind == "message_start":
            message = _object(value, "message")
            self._model = str(message["model"]) if message.get("model") else None
            self._count(_object(message, "usage"))
        elif kind == "content_block_start":
            block = _object(value, "content_block")
            if block.get("type") == "tool_use":
                self._call = ToolCall(str(block.get("id", "")), str(block.get("name", "")), "")
                given = block.get("input")
                self._arguments = [json.dumps(given, ensure_ascii=False)] if given else []
            else:
                yield from self._delta(block)
        elif kind == "content_block_delta":
            yield from self._delta(_object(value, "delta"))
        elif kind == "content_block_stop" and self._call is not None:
            call, self._call = self._call, None
            self.wrote = True
            yield ToolCall(call.id, call.name, "".join(self._arguments) or "{}")
        elif kind == "message_delta":
            reason = _object(value, "delta").get("stop_reason")
            self.stop_reason = reason if isinstance(reason, str) else self.stop_reason
            self._count(_object(value, "usage"))
        elif kind == "message_stop":
            self.done = True

    def finish(self) -> Finish:
        return Finish(
            reason=_REASONS.get(self.stop_reason or "", "stop"),
            usage=Usage(prompt_tokens=self._input, completion_tokens=self._output),
            model=self._model,
        )

    def _delta(self, delta: dict[str, Any]) -> Iterator[ChatDelta]:
        if isinstance(text := delta.get("text"), str) and text:
            self.wrote = True
            yield TextDelta(text)
        elif isinstance(thought := delta.get("thinking"), str) and thought:
            yield ThinkingDelta(thought)
        elif isinstance(piece := delta.get("partial_json"), str):
            self._arguments.append(piece)

    def _count(self, usage: dict[str, Any]) -> None:
        # What was read from the cache is part of the prompt, and counted apart from it.
        read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        counts = [usage.get(name) for name in read]
        self._input = sum(n for n in counts if isinstance(n, int)) or self._input
        if isinstance(written := usage.get("output_tokens"), int):
            self._output = written


def _messages(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """User and assistant in turn: neighbours of one role are put together, results go in as the
    user's, empty texts are left out, as the API demands.
    """
    out: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        role = "assistant" if message.role == "assistant" else "user"
        blocks = _blocks(message)
        if out and out[-1]["role"] == role:
            out[-1]["content"] += blocks
        elif blocks:
            out.append({"role": role, "content": blocks})
    return out


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        result = {"type": "tool_result", "tool_use_id": message.tool_call_id or ""}
        return [{**result, "content": message.content}]
    blocks: list[dict[str, Any]] = []
    if message.content.strip():
        # A last assistant text must not end in white space.
        text = message.content.rstrip() if message.role == "assistant" else message.content
        blocks.append({"type": "text", "text": text})
    for call in message.tool_calls:
        used = {"type": "tool_use", "id": call.id, "name": call.name}
        blocks.append({**used, "input": arguments_of(call)})
    return blocks


def _object(value: dict[str, Any], name: str) -> dict[str, Any]:
    inner = value.get(name)
    return inner if isinstance(inner, dict) else {}
