"""Ollama's own protocol, `POST /api/chat`.

Its OpenAI-compatible address would do but for one thing: the context size can't be set there,
and a prompt longer than the server's default is cut without a word. Here every request carries
a context that fits it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

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
from kebab_core.llm.sse import LineDecoder
from kebab_core.llm.streaming import LISTING_SECONDS, WARM_SECONDS, StreamingModel, without_tools
from kebab_core.llm.tokens import estimate_messages
from kebab_core.llm.tool_calls import arguments_of
from kebab_core.types import Usage

CONTEXT_STEP = 8192
"""Contexts are asked for in doublings of this: each change of size makes Ollama load anew."""


class Ollama(StreamingModel):
    """A model of an Ollama server, a local one or its cloud. `context_tokens`: the person's own
    limit, 0 for none.
    """

    path = "/api/chat"

    def __init__(self, endpoint: Endpoint, *, context_tokens: int = 0) -> None:
        key = endpoint.key
        super().__init__(endpoint, headers={"Authorization": f"Bearer {key}"} if key else None)
        self._limit = context_tokens

    @property
    def context_tokens(self) -> int | None:
        known = self._traits.context_tokens
        return min(known or self._limit, self._limit) if self._limit else known

    # --- the request ---------------------------------------------------------------------

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        without = self._traits.without
        messages = request.messages if "tools" not in without else without_tools(request.messages)
        body: dict[str, Any] = {
            "model": self.id,
            "messages": _messages(messages),
            "stream": True,
            "think": request.thinking,
            "options": {
                "num_ctx": self._num_ctx(request),
                "num_predict": request.max_tokens,
                "temperature": request.temperature,
            },
        }
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": tool.parameters,
                    },
                }
                for tool in request.tools
            ]
        return {name: value for name, value in body.items() if name not in without}

    def _num_ctx(self, request: ChatRequest) -> int:
        needed = estimate_messages(request.messages, request.tools) + request.max_tokens
        size = max(CONTEXT_STEP, self._traits.num_ctx)
        while size < needed:
            size *= 2
        if (most := self.context_tokens) is not None:
            size = min(size, most)
        self._traits.num_ctx = size
        return size

    # --- the reply -----------------------------------------------------------------------

    async def _deltas(self, reply: Reply) -> AsyncGenerator[ChatDelta, None]:
        if reply.kind == "text/html":
            raise failures.not_a_model(self._endpoint, "a web page")
        decoder = LineDecoder()
        lines, calls = 0, 0
        finish: Finish | None = None
        while finish is None and (chunk := await reply.chunk()):
            for line in decoder.feed(chunk):
                if not line.strip():
                    continue
                value = self._read(line, first=not lines)
                lines += 1
                for delta in _message_deltas(value, calls):
                    calls += isinstance(delta, ToolCall)
                    yield delta
                if value.get("done") is True:
                    finish = _finish(value)
        if not lines and (rest := decoder.close().strip()):
            self._read(rest, first=True)
        if finish is not None:
            await reply.drain()
            yield finish

    def _read(self, line: str, *, first: bool) -> dict[str, Any]:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            if not first:
                raise Broken("sent a line that is no JSON object")
            shown = self._endpoint.shown(line[:80])
            raise failures.not_a_model(self._endpoint, f"no JSON object but {shown!r}")
        if value.get("error"):
            raise SaidError(value)
        return value

    # --- the server ----------------------------------------------------------------------

    async def warm(self) -> None:
        """Learn what the model can do, and wait until the server has loaded it.

        Raises a ModelError where asking would fail too.
        """
        if self._traits.context_tokens is None:
            await self._learn()
        # Loaded with the context of the first request: with another it would be loaded twice.
        load = {"model": self.id, "options": {"num_ctx": self._num_ctx(ChatRequest(()))}}
        seconds = self._endpoint.silence_timeout_s
        status, body = await self._connection.ask("POST", "/api/generate", load, seconds=seconds)
        if status != 200:
            raise failures.by_status(self._endpoint, status, read_error(body), {})

    async def _learn(self) -> None:
        body = {"model": self.id}
        status, shown = await self._connection.ask("POST", "/api/show", body, seconds=WARM_SECONDS)
        if status != 200:
            error = read_error(shown)
            available = await self._available_or_none() if status == 404 else []
            raise failures.by_status(self._endpoint, status, error, {}, available)
        if not isinstance(shown, dict):
            raise failures.not_a_model(self._endpoint, "a web page")
        capabilities = shown.get("capabilities")
        if isinstance(capabilities, list):
            if "tools" not in capabilities:
                self._traits.without.add("tools")
            if "thinking" not in capabilities:
                self._traits.without.add("think")
        self._traits.context_tokens = context_length(shown) or self._traits.context_tokens

    async def _available(self) -> list[str]:
        _, tags = await self._connection.ask("GET", "/api/tags", seconds=LISTING_SECONDS)
        return [str(tag["name"]) for tag in listed_models(tags)]


def context_length(shown: dict[str, Any]) -> int | None:
    """What `/api/show` says the model was made for: `llama.context_length`, by architecture."""
    info = shown.get("model_info")
    if not isinstance(info, dict):
        return None
    value = info.get(f"{info.get('general.architecture')}.context_length")
    return value if isinstance(value, int) and value > 0 else None


def listed_models(tags: object) -> list[dict[str, Any]]:
    """The entries of `/api/tags` that have a name."""
    models = tags.get("models") if isinstance(tags, dict) else None
    return [
        model
        for model in (models if isinstance(models, list) else [])
        if isinstance(model, dict) and isinstance(model.get("name"), str) and model["name"]
    ]


def _messages(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    names = {call.id: call.name for message in messages for call in message.tool_calls}
    out = []
    for message in messages:
        body: dict[str, Any] = {"role": message.role, "content": message.content}
        if message.tool_calls:
            body["tool_calls"] = [
                {"function": {"name": call.name, "arguments": arguments_of(call)}}
                for call in message.tool_calls
            ]
        if message.tool_call_id is not None:
            body["tool_name"] = names.get(message.tool_call_id, "")
        out.append(body)
    return out


def _message_deltas(value: dict[str, Any], calls: int) -> list[ChatDelta]:
    message = value.get("message")
    if not isinstance(message, dict):
        return []
    deltas: list[ChatDelta] = []
    if isinstance(thought := message.get("thinking"), str) and thought:
        deltas.append(ThinkingDelta(thought))
    if isinstance(text := message.get("content"), str) and text:
        deltas.append(TextDelta(text))
    listed = message.get("tool_calls")
    for call in listed if isinstance(listed, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(name := function.get("name"), str):
            calls += 1
            arguments = function.get("arguments")
            if not isinstance(arguments, str):
                arguments = json.dumps(arguments or {}, ensure_ascii=False)
            call_id = call.get("id")
            deltas.append(ToolCall(str(call_id) if call_id else f"call_{calls}", name, arguments))
    return deltas


def _finish(value: dict[str, Any]) -> Finish:
    counts = [value.get(name) for name in ("prompt_eval_count", "eval_count")]
    prompt, completion = (count if isinstance(count, int) else 0 for count in counts)
    model = value.get("model")
    return Finish(
        reason="length" if value.get("done_reason") == "length" else "stop",
        usage=Usage(prompt_tokens=prompt, completion_tokens=completion),
        model=model if isinstance(model, str) else None,
    )
