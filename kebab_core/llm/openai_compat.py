"""The OpenAI protocol: `POST /chat/completions` with `stream: true`.

Spoken by llama.cpp, vLLM, LM Studio and by OpenAI, OpenRouter and Workers AI themselves.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from typing import Any

from kebab_core.llm import failures
from kebab_core.llm.base import (
    ChatDelta,
    ChatRequest,
    Message,
    ToolSpec,
)
from kebab_core.llm.connection import Reply
from kebab_core.llm.endpoint import Endpoint
from kebab_core.llm.openai_stream import Completion, count_of
from kebab_core.llm.server_error import read_error
from kebab_core.llm.sse import EventDecoder
from kebab_core.llm.streaming import LISTING_SECONDS, WARM_SECONDS, StreamingModel, without_tools
from kebab_core.llm.tool_calls import arguments_of

# https://platform.openai.com/docs/guides/reasoning: these take no temperature but their own.
_FIXED_TEMPERATURE = re.compile(r"(?:o\d|gpt-5)(?!.*chat)")
# Where servers say how much a model reads: vLLM, OpenRouter, LM Studio, llama.cpp's `meta`.
_CONTEXT_FIELDS = ("max_model_len", "context_length", "max_context_length", "n_ctx")


class OpenAICompatible(StreamingModel):
    """A chat model behind the OpenAI protocol."""

    path = "/chat/completions"

    def __init__(self, endpoint: Endpoint) -> None:
        key = endpoint.key
        super().__init__(endpoint, headers={"Authorization": f"Bearer {key}"} if key else None)
        if endpoint.provider == "openai" and _FIXED_TEMPERATURE.match(endpoint.model):
            self._traits.without.add("temperature")

    # --- the request ---------------------------------------------------------------------

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        without = self._traits.without
        messages = request.messages if "tools" not in without else without_tools(request.messages)
        cap = "max_completion_tokens" if self.provider == "openai" else "max_tokens"
        if cap in without:
            cap = "max_tokens" if cap == "max_completion_tokens" else "max_completion_tokens"
        body: dict[str, Any] = {
            "model": self.id,
            "messages": [_message(message) for message in messages],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": request.temperature,
            cap: request.max_tokens,
            **self._reasoning(thinking=request.thinking),
        }
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        return {name: value for name, value in body.items() if name == cap or name not in without}

    def _reasoning(self, *, thinking: bool) -> dict[str, Any]:
        """The provider's own switch; the plain protocol has none."""
        if self.provider == "openrouter":
            return {"reasoning": {"enabled": thinking}, "usage": {"include": True}}
        if self.provider == "openai" and thinking:
            return {"reasoning_effort": "medium"}
        return {}

    # --- the reply -----------------------------------------------------------------------

    async def _deltas(self, reply: Reply) -> AsyncGenerator[ChatDelta, None]:
        if reply.kind == "text/html":
            raise failures.not_a_model(self._endpoint, "a web page")
        completion = Completion(self._endpoint)
        if reply.kind == "application/json":
            # A server that doesn't stream sends its answer whole.
            for delta in completion.whole(await reply.whole()):
                yield delta
            return
        decoder = EventDecoder()
        start = b""
        while not completion.done and (chunk := await reply.chunk(done=completion.finished)):
            start = start or chunk[:80]
            for event in decoder.feed(chunk):
                for delta in completion.event(event):
                    yield delta
        for event in decoder.close():
            for delta in completion.event(event, cut=True):
                yield delta
        if completion.done:
            await reply.drain()
        if start and not decoder.recognised:
            shown = self._endpoint.shown(start.decode("utf-8", errors="replace"))
            raise failures.not_a_model(self._endpoint, f"no event stream but {shown!r}")
        for delta in completion.close():
            yield delta

    # --- the server ----------------------------------------------------------------------

    async def warm(self) -> None:
        """Open the connection, and learn how much the model reads where the server tells.

        Raises a ModelError where asking would fail too. A server that can't list its models is
        no failure, nor is a model that isn't in the list: some answer to any name.
        """
        status, listing = await self._connection.ask("GET", "/models", seconds=WARM_SECONDS)
        if status in (401, 403, 429) or status >= 500:
            error = read_error(listing)
            raise failures.by_status(self._endpoint, status, error, {})
        if status == 200 and listing is None:
            raise failures.not_a_model(self._endpoint, "a web page")
        entry = next((one for one in _entries(listing) if one.get("id") == self.id), None)
        if entry is None or self._traits.context_tokens is not None:
            return
        self._traits.context_tokens = _context(entry)
        if entry.get("owned_by") == "llamacpp":
            # It lists what the model was trained on, and tells elsewhere what it was started with.
            root = self._endpoint.base_url.removesuffix("/v1")
            _, props = await self._connection.ask("GET", f"{root}/props", seconds=WARM_SECONDS)
            if isinstance(props, dict):
                settings = props.get("default_generation_settings")
                found = _context(settings) if isinstance(settings, dict) else None
                self._traits.context_tokens = found or self._traits.context_tokens

    async def _available(self) -> list[str]:
        _, listing = await self._connection.ask("GET", "/models", seconds=LISTING_SECONDS)
        return [str(entry["id"]) for entry in _entries(listing) if entry.get("id")]


def _message(message: Message) -> dict[str, Any]:
    body: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        body["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": json.dumps(arguments_of(call), ensure_ascii=False),
                },
            }
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        body["tool_call_id"] = message.tool_call_id
    return body


def _tool(tool: ToolSpec) -> dict[str, Any]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}


def _entries(listing: object) -> list[dict[str, Any]]:
    data = listing.get("data") if isinstance(listing, dict) else None
    return [entry for entry in data if isinstance(entry, dict)] if isinstance(data, list) else []


def _context(entry: dict[str, Any]) -> int | None:
    return next((n for name in _CONTEXT_FIELDS if (n := count_of(entry.get(name)))), None)
