"""Plays the steps of one turn into one response."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from kebab_core.testing.http import Exchange
from kebab_core.testing.protocols import Protocol
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
    Pieces,
    Raw,
    Say,
    Status,
    Step,
    Think,
    Turn,
    Usage,
    Wait,
)


class Performance:
    """`prompt_tokens` is what is reported as read, `chop` the most bytes sent at once."""

    def __init__(
        self, exchange: Exchange, protocol: Protocol, prompt_tokens: int, chop: int | None
    ) -> None:
        self._exchange = exchange
        self._protocol = protocol
        self._chop = chop
        self._usage = Usage(prompt=prompt_tokens, completion=0)
        self._counted = True
        self._reason: str | None = None
        self._begun = False

    async def play(self, turn: Turn) -> None:
        for step in turn:
            if isinstance(step, Usage):
                self._usage, self._counted = step, False
            elif isinstance(step, Finish):
                self._reason = step.reason
        for step in turn:
            await self._perform(step)
            if self._exchange.over:
                return
        await self._begin()
        reason = self._reason or ("tool_calls" if self._protocol.calls else "stop")
        for part in self._protocol.finish(reason, self._usage):
            await self._send(part)
        await self._exchange.end()

    async def _perform(self, step: Step) -> None:
        match step:
            case Say(text, every):
                await self._write(text, self._protocol.say, every)
            case Think(text):
                await self._write(text, self._protocol.think)
            case Call():
                await self._call([step])
            case Calls(calls):
                await self._call(calls)
            case KeepAlive():
                await self._ensure_started()
                await self._send(self._protocol.keep_alive())
            case Fail():
                await self._begin()
                await self._send(self._protocol.fail(step))
                await self._exchange.end()
            case Raw(data):
                await self._ensure_started()
                await self._send(data.encode() if isinstance(data, str) else data)
            case Wait(event):
                while not event.is_set():  # noqa: ASYNC110 - another thread sets it
                    await asyncio.sleep(0.005)
            case Pause(seconds):
                await asyncio.sleep(seconds)
            case Hang():
                await asyncio.Event().wait()
            case Cut():
                self._exchange.cut()
            case End():
                await self._ensure_started()
                await self._exchange.end()
            case Status():
                await self._status(step)
            case Html(text):
                await self._exchange.respond(200, text.encode(), "text/html; charset=utf-8")
            case _:
                return  # Usage and Finish, which were read beforehand

    async def _write(
        self, text: Pieces, encode: Callable[[str], bytes], every: float = 0.0
    ) -> None:
        await self._begin()
        for piece in [text] if isinstance(text, str) else text:
            await self._send(encode(piece))
            self._count()
            if every:
                await asyncio.sleep(every)

    async def _call(self, calls: Sequence[Call]) -> None:
        await self._begin()
        for part in self._protocol.call(calls):
            await self._send(part)
        self._count()

    async def _status(self, step: Status) -> None:
        if isinstance(step.body, str) and step.body.lstrip().startswith("<"):
            await self._exchange.respond(step.code, step.body.encode(), "text/html", step.headers)
            return
        body = step.body
        if body is None or isinstance(body, str):
            body = self._protocol.error_body(step.code, body or "the script says so")
        await self._exchange.respond_json(step.code, dict(body), step.headers)

    async def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            await self._ensure_started()
            await self._send(self._protocol.begin(self._usage))

    async def _ensure_started(self) -> None:
        if not self._exchange.started:
            await self._exchange.start(self._protocol.content_type)

    async def _send(self, part: bytes) -> None:
        size = self._chop or len(part) or 1
        for at in range(0, len(part), size):
            await self._exchange.send(part[at : at + size])

    def _count(self) -> None:
        if self._counted:
            self._usage = Usage(self._usage.prompt, self._usage.completion + 1)
