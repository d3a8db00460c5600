"""A chat model server that plays a script over real HTTP.

It speaks three streaming protocols, told apart by the path that is asked: OpenAI's
`/v1/chat/completions`, Ollama's `/api/chat` and Anthropic's `/v1/messages`.

::

    with ScriptedModel([[Say(["It runs ", "every night [1]."])]]) as model:
        ...  # point kebab at model.base_url
    assert model.requests[0].messages[-1]["content"].endswith("?")

One turn answers one request, in the order they come. A turn can be a function of the request.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeAlias

from kebab_core.testing.http import ClientGone, Exchange, LoopbackServer
from kebab_core.testing.performance import Performance
from kebab_core.testing.protocols import Anthropic, Ollama, OpenAI, Protocol
from kebab_core.testing.script import (
    Call,
    Calls,
    Cut,
    End,
    Fail,
    Finish,
    Hang,
    Html,
    KeepAlive,
    Pause,
    Raw,
    Say,
    Status,
    Step,
    Think,
    Turn,
    Usage,
)

__all__ = [
    "Call",
    "Calls",
    "Cut",
    "End",
    "Fail",
    "Finish",
    "Hang",
    "Hangup",
    "Html",
    "KeepAlive",
    "Pause",
    "Raw",
    "Received",
    "Say",
    "ScriptedModel",
    "Status",
    "Step",
    "Think",
    "Usage",
]

_PROTOCOLS: dict[str, type[Protocol]] = {
    "/v1/chat/completions": OpenAI,
    "/api/chat": Ollama,
    "/v1/messages": Anthropic,
}


@dataclass(frozen=True)
class Received:
    """A request as it came. Header names are lower case; `at` is `time.monotonic()`."""

    number: int
    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation; for Anthropic without its `system`."""
        return list(self.body.get("messages", []))

    @property
    def text(self) -> str:
        """All that the request says, as JSON text: for `in`."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def tools(self) -> list[str]:
        """Names of the tools offered."""
        offered = self.body.get("tools") or []
        return [tool.get("function", tool)["name"] for tool in offered]


@dataclass(frozen=True)
class Hangup:
    """A client that closed its connection before the response to request `number` was over."""

    number: int
    at: float


Script: TypeAlias = Sequence[Turn | Callable[[Received], Turn]] | Callable[[Received], Turn]


class ScriptedModel:
    """The server. Listens from `start()` (or `with`) to `close()`, on a free port.

    Requests for a chat use up turns; listing models doesn't. Past the last turn it answers 500,
    or with `repeat` plays the last one again. `chop` cuts every body into pieces of so many
    bytes. `models` are those it has: asked for another, it answers 404; None: it has any.
    `key` is the one key it takes; None: any or none. `rejects` names request fields it answers
    400 to, as servers do that don't know them (`tools`, `stream_options`, `temperature`, …).
    """

    def __init__(
        self,
        turns: Script,
        *,
        repeat: bool = False,
        chop: int | None = None,
        models: Sequence[str] | None = None,
        key: str | None = None,
        rejects: Iterable[str] = (),
        context_tokens: int = 8192,
        port: int = 0,
    ) -> None:
        self.requests: list[Received] = []
        self.hangups: list[Hangup] = []
        self.visits: list[tuple[str, str]] = []
        self._turns = turns
        self._repeat = repeat
        self._chop = chop
        self._models = models
        self._key = key
        self._rejects = frozenset(rejects)
        self._context_tokens = context_tokens
        self._changed = threading.Condition()
        self._server = LoopbackServer(self._handle, port=port)

    # --- where it is ---------------------------------------------------------------------

    @property
    def origin(self) -> str:
        """`http://127.0.0.1:PORT`: Ollama's and Anthropic's base address."""
        return self._server.origin

    @property
    def base_url(self) -> str:
        """OpenAI's base address: the origin and `/v1`."""
        return f"{self.origin}/v1"

    @property
    def environment(self) -> dict[str, str]:
        """Variables that make kebab ask this server."""
        return {
            "KEBAB_BASE_URL": self.base_url,
            "KEBAB_MODEL_ASK": f"openai-compatible:{self.model}",
        }

    @property
    def model(self) -> str:
        """A model's name that it answers to."""
        return self._models[0] if self._models else "scripted"

    @property
    def connections(self) -> int:
        """How many connections were opened so far."""
        return self._server.connections

    def start(self) -> Self:
        self._server.start()
        return self

    def close(self) -> None:
        """Cut what is open and stop. Idempotent."""
        self._server.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- what came -----------------------------------------------------------------------

    def wait_requests(self, count: int = 1, timeout: float = 5.0) -> bool:
        """Whether so many requests for a chat came within `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.requests) >= count, timeout)

    def wait_hangup(self, timeout: float = 5.0, count: int = 1) -> bool:
        """Whether so many clients hung up early within `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self.hangups) >= count, timeout)

    # --- answering -----------------------------------------------------------------------

    async def _handle(self, exchange: Exchange) -> None:
        path = exchange.path.partition("?")[0]
        with self._changed:
            self.visits.append((exchange.method, path))
        kind = _PROTOCOLS.get(path)
        if kind is None or exchange.method != "POST":
            await self._serve_other(exchange, path)
            return
        try:
            body = json.loads(exchange.body)
        except ValueError:
            body = None
        if not isinstance(body, dict):
            await exchange.respond_json(400, {"error": {"message": "the body is no JSON object"}})
            return
        model = str(body.get("model", ""))
        probe = kind(model, body, 0)
        if refused := self._refusal(exchange, body, model):
            status, message = refused
            await exchange.respond_json(status, probe.error_body(status, message))
            return
        received = self._record(exchange, path, body)
        await self._play(exchange, kind(model, body, received.number), received)

    def _refusal(
        self, exchange: Exchange, body: dict[str, Any], model: str
    ) -> tuple[int, str] | None:
        if not self._authorised(exchange):
            sent = exchange.headers.get("authorization", "").removeprefix("Bearer ")
            # Real servers do repeat the key, so clients must not pass their words on untouched.
            return 401, f"Incorrect API key provided: {sent or exchange.headers.get('x-api-key')}."
        if self._models is not None and model not in self._models:
            return 404, f'model "{model}" not found, try pulling it first'
        for name in sorted(self._rejects & body.keys()):
            return 400, f"Unrecognized request argument supplied: {name}"
        return None

    def _authorised(self, exchange: Exchange) -> bool:
        sent = (exchange.headers.get("authorization"), exchange.headers.get("x-api-key"))
        return self._key is None or sent in ((f"Bearer {self._key}", None), (None, self._key))

    def _record(self, exchange: Exchange, path: str, body: dict[str, Any]) -> Received:
        with self._changed:
            received = Received(
                number=len(self.requests),
                method=exchange.method,
                path=path,
                headers=exchange.headers,
                body=body,
                at=time.monotonic(),
            )
            self.requests.append(received)
            self._changed.notify_all()
        return received

    def _turn(self, received: Received) -> Turn:
        if callable(self._turns):
            return self._turns(received)
        number = received.number
        if self._repeat:
            number = min(number, len(self._turns) - 1)
        if number >= len(self._turns):
            return [Status(500, f"the script has {len(self._turns)} turns, no more")]
        turn = self._turns[number]
        return turn(received) if callable(turn) else turn

    async def _play(self, exchange: Exchange, protocol: Protocol, received: Received) -> None:
        performance = Performance(exchange, protocol, len(received.text.split()), self._chop)
        playing = asyncio.create_task(performance.play(self._turn(received)))
        hangup = asyncio.create_task(exchange.hung_up())
        try:
            await asyncio.wait({playing, hangup}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hangup.cancel()
            playing.cancel()
        try:
            await playing
        except (ClientGone, asyncio.CancelledError):
            if not exchange.over:
                with self._changed:
                    self.hangups.append(Hangup(received.number, time.monotonic()))
                    self._changed.notify_all()
            raise ClientGone from None

    # --- everything but chats ------------------------------------------------------------

    async def _serve_other(self, exchange: Exchange, path: str) -> None:
        if not self._authorised(exchange):
            await exchange.respond_json(401, {"error": {"message": "Incorrect API key provided."}})
            return
        names = list(self._models or [self.model])
        match exchange.method, path:
            case "GET", "/v1/models":
                data = [
                    {
                        "id": name,
                        "object": "model",
                        "owned_by": "kebab",
                        "max_model_len": self._context_tokens,
                    }
                    for name in names
                ]
                await exchange.respond_json(200, {"object": "list", "data": data})
            case "GET", "/api/tags":
                tags = [_tag(name, age) for age, name in enumerate(names)]
                await exchange.respond_json(200, {"models": tags})
            case "POST", "/api/show":
                asked = json.loads(exchange.body or b"{}")
                name = asked.get("model") or asked.get("name")
                if self._models is not None and name not in self._models:
                    await exchange.respond_json(404, {"error": f"model '{name}' not found"})
                    return
                await exchange.respond_json(200, self._show(str(name)))
            case "POST", "/api/generate":
                # Without a prompt it only loads the model.
                await exchange.respond_json(200, {"done": True, "done_reason": "load"})
            case "GET", "/":
                await exchange.respond(200, b"Ollama is running", "text/plain")
            case _:
                await exchange.respond(404, b"404 page not found", "text/plain")

    def _show(self, name: str) -> dict[str, Any]:
        embeds = _embeds(name)
        architecture = "bert" if embeds else "scripted"
        return {
            "details": {"family": architecture, "format": "gguf"},
            "model_info": {
                "general.architecture": architecture,
                f"{architecture}.context_length": self._context_tokens,
            },
            "capabilities": ["embedding"] if embeds else ["completion", "tools"],
        }


def _embeds(name: str) -> bool:
    return "embed" in name


def _tag(name: str, age: int) -> dict[str, Any]:
    """Ollama's listing: the first model of the list is the one changed last."""
    family = "bert" if _embeds(name) else "scripted"
    return {
        "name": name,
        "model": name,
        "modified_at": f"2026-01-{28 - age % 28:02d}T10:00:00.123456789+09:00",
        "size": 1_000_000,
        "digest": "0" * 64,
        "details": {"family": family, "families": [family], "parameter_size": "1B"},
    }
