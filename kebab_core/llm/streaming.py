"""What all chat models behind HTTP share: how a stream begins, is read, and may end.

A protocol's module says how a request looks and which deltas its reply holds. Here reasoning in
tags is taken out of the prose, fields that a server rejects are left out, a stream that ends too
early becomes the right error, and a model that wrote nothing is told from one that was cut off.

Any byte counts as a sign of life, a keep-alive comment too: hosts send them while a request
waits its turn. Only a connection on which nothing at all arrives for `silence_timeout_s` is given
up; how long an answer may take in all is the run's own limit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from typing import Any

from kebab_core.errors import KebabError, ModelNotFound
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
from kebab_core.llm.connection import Connection, Reply
from kebab_core.llm.endpoint import Endpoint
from kebab_core.llm.failures import Broken, SaidError
from kebab_core.llm.server_error import read_error
from kebab_core.llm.sse import LineTooLong
from kebab_core.llm.thinking import ThinkingSplitter
from kebab_core.llm.traits import Traits, traits_of

LISTING_SECONDS = 3.0
"""Time for a short question about the server's models, when it helps to name them."""
WARM_SECONDS = 5.0


class StreamingModel(ABC):
    """A `ChatModel` of `kebab_core.llm.base`."""

    path: str

    def __init__(self, endpoint: Endpoint, *, headers: Mapping[str, str] | None = None) -> None:
        self._endpoint = endpoint
        self._connection = Connection(endpoint, headers)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id} at {self._endpoint.address}>"

    @property
    def id(self) -> str:
        return self._endpoint.model

    @property
    def provider(self) -> str:
        return self._endpoint.provider

    @property
    def context_tokens(self) -> int | None:
        return self._traits.context_tokens

    @property
    def can_call_tools(self) -> bool:
        return "tools" not in self._traits.without

    async def aclose(self) -> None:
        await self._connection.aclose()

    @property
    def _traits(self) -> Traits:
        return traits_of(self._endpoint)

    # --- what a protocol says ------------------------------------------------------------

    @abstractmethod
    def _body(self, request: ChatRequest) -> dict[str, Any]:
        """The request, without the fields that `self._traits.without` names."""

    @abstractmethod
    def _deltas(self, reply: Reply) -> AsyncGenerator[ChatDelta, None]:
        """What a reply of 200 holds, `Finish` last if the stream came to its end.

        Raises Broken, SaidError, LineTooLong or a KebabError.
        """

    @abstractmethod
    async def warm(self) -> None: ...

    @abstractmethod
    async def _available(self) -> list[str]:
        """Names of the server's models. Raises a KebabError."""

    # --- a stream ------------------------------------------------------------------------

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatDelta]:
        """See `ChatModel.stream`."""
        endpoint, so_far = self._endpoint, _SoFar()
        try:
            async with self._open(request) as reply, aclosing(self._deltas(reply)) as deltas:
                async for delta in deltas:
                    for part in so_far.take(delta):
                        yield part
                    if so_far.finish is not None:
                        break
                for part in so_far.close():
                    yield part
        except Broken as broken:
            if so_far.wrote:
                raise failures.interrupted(endpoint, str(broken)) from broken
            raise failures.silent(endpoint, str(broken)) from broken
        except SaidError as said:
            if so_far.wrote:
                raise failures.interrupted_by(endpoint, said.error) from None
            raise failures.by_word(endpoint, said.error) from None
        except LineTooLong:
            what = "millions of bytes without a line end"
            if so_far.wrote:
                raise failures.interrupted(endpoint, f"sent {what}") from None
            raise failures.not_a_model(endpoint, what) from None
        finish = so_far.finish
        if finish is None:
            how = "ended it without saying that it was done"
            if so_far.wrote:
                raise failures.interrupted(endpoint, how)
            raise failures.silent(endpoint, "ended the response")
        if not so_far.said:
            raise failures.empty(endpoint, thought=so_far.thought, capped=finish.reason == "length")
        yield finish

    @asynccontextmanager
    async def _open(self, request: ChatRequest) -> AsyncIterator[Reply]:
        """The reply of 200, asked for again without the fields that the server rejects."""
        while True:
            body = self._body(request)
            async with self._connection.post(self.path, body) as reply:
                if reply.status == 200:
                    yield reply
                    return
                error = read_error(_json_or_text(await reply.text()))
                if self._traits.learn(reply.status, error, body):
                    continue
                failure = failures.by_status(self._endpoint, reply.status, error, reply.headers)
            if isinstance(failure, ModelNotFound):
                available = await self._available_or_none()
                failure = failures.by_status(self._endpoint, 404, error, {}, available)
            raise failure

    async def _available_or_none(self) -> list[str]:
        try:
            return await self._available()
        except KebabError:
            # It only made the message better.
            return []


class _SoFar:
    """What a stream has held, and its prose without reasoning."""

    def __init__(self) -> None:
        self.wrote = False
        self.said = False
        self.thought = False
        self.finish: Finish | None = None
        self._called = False
        self._splitter = ThinkingSplitter()

    def take(self, delta: ChatDelta) -> Iterator[ChatDelta]:
        match delta:
            case TextDelta(text):
                self.wrote = self.wrote or bool(text)
                yield from self._seen(self._splitter.feed(text))
            case ThinkingDelta(text):
                if text:
                    self.wrote = self.thought = True
                    yield delta
            case ToolCall():
                self.wrote = self.said = self._called = True
                yield from self._seen(self._splitter.close())
                yield delta
            case Finish():
                reason = "tool_calls" if self._called else delta.reason
                if reason == "tool_calls" and not self._called:
                    reason = "stop"
                self.finish = replace(delta, reason=reason)

    def close(self) -> Iterator[ChatDelta]:
        yield from self._seen(self._splitter.close())

    def _seen(self, parts: list[TextDelta | ThinkingDelta]) -> Iterator[ChatDelta]:
        for part in parts:
            if isinstance(part, ThinkingDelta):
                self.thought = True
            elif not part.text.isspace():
                self.said = True
            yield part


def without_tools(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The conversation for a server that knows no tools: calls left out, results as the user's."""
    plain = []
    for message in messages:
        if message.role == "tool":
            message = Message("user", message.content)
        elif message.tool_calls:
            if not message.content:
                continue
            message = replace(message, tool_calls=())
        plain.append(message)
    return tuple(plain)


def _json_or_text(text: str) -> object:
    import json

    try:
        return json.loads(text)
    except ValueError:
        start = text.lstrip()[:15].lower()
        return "a web page" if start.startswith(("<!doctype", "<html")) else text
