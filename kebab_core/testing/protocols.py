"""How a scripted turn looks on the wire of each streaming protocol."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from kebab_core.testing.script import Call, Fail, Usage


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Protocol(ABC):
    """Turns the steps of one response into bytes of its body."""

    content_type = "text/event-stream; charset=utf-8"

    def __init__(self, model: str, body: dict[str, Any], number: int) -> None:
        self.model = model
        self.body = body
        self.number = number
        self.calls = 0

    def next_call_id(self, call: Call) -> str:
        self.calls += 1
        return call.id or f"call_{self.number}_{self.calls}"

    def begin(self, usage: Usage) -> bytes:
        return b""

    @abstractmethod
    def say(self, text: str) -> bytes: ...

    @abstractmethod
    def think(self, text: str) -> bytes: ...

    @abstractmethod
    def call(self, calls: Sequence[Call]) -> list[bytes]: ...

    @abstractmethod
    def keep_alive(self) -> bytes: ...

    @abstractmethod
    def fail(self, error: Fail) -> bytes: ...

    @abstractmethod
    def finish(self, reason: str, usage: Usage) -> list[bytes]: ...

    def error_body(self, status: int, message: str) -> dict[str, Any]:
        """The body of a response that isn't 200."""
        kinds = {
            400: "invalid_request_error",
            401: "authentication_error",
            403: "permission_error",
            404: "not_found_error",
            429: "rate_limit_error",
        }
        return {"error": {"message": message, "type": kinds.get(status, "api_error")}}


class OpenAI(Protocol):
    """POST /v1/chat/completions with `stream: true`."""

    def begin(self, usage: Usage) -> bytes:
        return self._delta({"role": "assistant", "content": ""})

    def say(self, text: str) -> bytes:
        return self._delta({"content": text})

    def think(self, text: str) -> bytes:
        return self._delta({"reasoning_content": text})

    def call(self, calls: Sequence[Call]) -> list[bytes]:
        out, left = [], []
        for call in calls:
            index, call_id = self.calls, self.next_call_id(call)
            function = {"name": call.name, "arguments": ""}
            start = {"index": index, "id": call_id, "type": "function", "function": function}
            out.append(self._delta({"tool_calls": [start]}))
            left.append((index, call.pieces()))
        while any(pieces for _, pieces in left):
            for index, pieces in left:
                if pieces:
                    part = {"index": index, "function": {"arguments": pieces.pop(0)}}
                    out.append(self._delta({"tool_calls": [part]}))
        return out

    def keep_alive(self) -> bytes:
        return b": keep-alive\n\n"

    def fail(self, error: Fail) -> bytes:
        body = {"message": error.message, "type": error.type, "code": error.code}
        return self._event({"error": body})

    def finish(self, reason: str, usage: Usage) -> list[bytes]:
        out = [self._delta({}, reason)]
        if self._with_usage:
            counts: dict[str, Any] = {
                "prompt_tokens": usage.prompt,
                "completion_tokens": usage.completion,
                "total_tokens": usage.prompt + usage.completion,
            }
            if usage.cost is not None:
                counts["cost"] = usage.cost
            out.append(self._event({**self._head(), "choices": [], "usage": counts}))
        return [*out, b"data: [DONE]\n\n"]

    @property
    def _with_usage(self) -> bool:
        options = self.body.get("stream_options")
        return isinstance(options, dict) and bool(options.get("include_usage"))

    def _head(self) -> dict[str, Any]:
        return {
            "id": f"chatcmpl-{self.number}",
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": self.model,
        }

    def _delta(self, delta: dict[str, Any], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        usage = {"usage": None} if self._with_usage else {}
        return self._event({**self._head(), "choices": [choice], **usage})

    @staticmethod
    def _event(value: dict[str, Any]) -> bytes:
        return f"data: {_json(value)}\n\n".encode()


class Ollama(Protocol):
    """POST /api/chat: one JSON object a line."""

    content_type = "application/x-ndjson"

    def say(self, text: str) -> bytes:
        return self._line({"content": text})

    def think(self, text: str) -> bytes:
        return self._line({"content": "", "thinking": text})

    def call(self, calls: Sequence[Call]) -> list[bytes]:
        out = []
        for call in calls:
            text = "".join(call.pieces())
            try:
                arguments: Any = json.loads(text)
            except ValueError:
                arguments = text
            self.next_call_id(call)
            function = {"name": call.name, "arguments": arguments}
            out.append(self._line({"content": "", "tool_calls": [{"function": function}]}))
        return out

    def keep_alive(self) -> bytes:
        return b"\n"

    def fail(self, error: Fail) -> bytes:
        return f"{_json({'error': error.message})}\n".encode()

    def finish(self, reason: str, usage: Usage) -> list[bytes]:
        end = {
            "done": True,
            "done_reason": "length" if reason == "length" else "stop",
            "total_duration": 1_000_000,
            "load_duration": 1_000,
            "prompt_eval_count": usage.prompt,
            "prompt_eval_duration": 500_000,
            "eval_count": usage.completion,
            "eval_duration": 400_000,
        }
        return [self._line({"content": ""}, end)]

    def error_body(self, status: int, message: str) -> dict[str, Any]:
        return {"error": message}

    def _line(self, message: dict[str, Any], end: dict[str, Any] | None = None) -> bytes:
        value = {
            "model": self.model,
            "created_at": datetime.now(UTC).isoformat(),
            "message": {"role": "assistant", **message},
            "done": False,
            **(end or {}),
        }
        return f"{_json(value)}\n".encode()


class Anthropic(Protocol):
    """POST /v1/messages with `stream: true`: typed events around numbered content blocks."""

    _STOP = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}

    def __init__(self, model: str, body: dict[str, Any], number: int) -> None:
        super().__init__(model, body, number)
        self._block = -1
        self._open: str | None = None

    def begin(self, usage: Usage) -> bytes:
        message: dict[str, Any] = {
            "id": f"msg_{self.number}",
            "type": "message",
            "role": "assistant",
            "model": self.model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": usage.prompt, "output_tokens": 1},
        }
        return self._event("message_start", {"message": message}) + self.keep_alive()

    def say(self, text: str) -> bytes:
        opened = self._start("text", {"type": "text", "text": ""})
        return opened + self._delta({"type": "text_delta", "text": text})

    def think(self, text: str) -> bytes:
        opened = self._start("thinking", {"type": "thinking", "thinking": "", "signature": ""})
        return opened + self._delta({"type": "thinking_delta", "thinking": text})

    def call(self, calls: Sequence[Call]) -> list[bytes]:
        out = []
        for call in calls:
            block = {
                "type": "tool_use",
                "id": self.next_call_id(call).replace("call_", "toolu_"),
                "name": call.name,
                "input": {},
            }
            out.append(self._stop() + self._start("tool_use", block))
            out.append(self._delta({"type": "input_json_delta", "partial_json": ""}))
            out += [
                self._delta({"type": "input_json_delta", "partial_json": piece})
                for piece in call.pieces()
            ]
        return out

    def keep_alive(self) -> bytes:
        return self._event("ping", {})

    def fail(self, error: Fail) -> bytes:
        return self._event("error", {"error": {"type": error.type, "message": error.message}})

    def finish(self, reason: str, usage: Usage) -> list[bytes]:
        delta = {"stop_reason": self._STOP.get(reason, reason), "stop_sequence": None}
        counts = {"output_tokens": usage.completion}
        return [
            self._stop(),
            self._event("message_delta", {"delta": delta, "usage": counts}),
            self._event("message_stop", {}),
        ]

    def error_body(self, status: int, message: str) -> dict[str, Any]:
        return {"type": "error", **super().error_body(status, message)}

    def _start(self, kind: str, block: dict[str, Any]) -> bytes:
        if self._open == kind:
            return b""
        before = self._stop()
        self._open = kind
        self._block += 1
        start = {"index": self._block, "content_block": block}
        return before + self._event("content_block_start", start)

    def _stop(self) -> bytes:
        if self._open is None:
            return b""
        signed = b""
        if self._open == "thinking":
            signed = self._delta({"type": "signature_delta", "signature": "c2lnbmVk"})
        self._open = None
        return signed + self._event("content_block_stop", {"index": self._block})

    def _delta(self, delta: dict[str, Any]) -> bytes:
        return self._event("content_block_delta", {"index": self._block, "delta": delta})

    @staticmethod
    def _event(kind: str, value: dict[str, Any]) -> bytes:
        return f"event: {kind}\ndata: {_json({'type': kind, **value})}\n\n".encode()
