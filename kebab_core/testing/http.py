"""A small HTTP/1.1 server on loopback that sees its client hang up, even while it is silent."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any

_MAX_HEAD = 64_000


class ClientGone(Exception):
    """The client closed the connection before the response was over."""


class Exchange:
    """One request, and the means to answer it. Header names are lower case."""

    def __init__(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        body: bytes,
        writer: asyncio.StreamWriter,
        gone: asyncio.Event,
    ) -> None:
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.over = False
        self.started = False
        self._writer = writer
        self._gone = gone

    async def respond(
        self, status: int, body: bytes, content_type: str, headers: Mapping[str, str] | None = None
    ) -> None:
        """A whole response."""
        self.started = True
        given = {"Content-Type": content_type, "Content-Length": str(len(body)), **(headers or {})}
        self._writer.write(_head(status, given) + body)
        await self._drain()
        self.over = True

    async def respond_json(
        self, status: int, value: object, headers: Mapping[str, str] | None = None
    ) -> None:
        body = json.dumps(value, ensure_ascii=False).encode()
        await self.respond(status, body, "application/json", headers)

    async def start(self, content_type: str) -> None:
        """Begin a streamed response of 200."""
        self.started = True
        self._writer.write(
            _head(
                200,
                {
                    "Content-Type": content_type,
                    "Cache-Control": "no-cache",
                    "Transfer-Encoding": "chunked",
                },
            )
        )
        await self._drain()

    async def send(self, data: bytes) -> None:
        """A piece of the streamed body, as a chunk and a packet of its own."""
        if not data:
            return
        self._writer.write(b"%x\r\n%s\r\n" % (len(data), data))
        await self._drain()

    async def end(self) -> None:
        self._writer.write(b"0\r\n\r\n")
        await self._drain()
        self.over = True

    def cut(self) -> None:
        """Break the connection: what was sent arrives, and then nothing more."""
        self.over = True
        self._writer.transport.close()

    async def _drain(self) -> None:
        try:
            await self._writer.drain()
        except ConnectionError as gone:
            raise ClientGone from gone

    async def hung_up(self) -> None:
        """Returns when the client closes the connection: silent servers can't notice else."""
        await self._gone.wait()


class _Connection(asyncio.StreamReaderProtocol):
    """Streams that set an event at the client's end of them."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        connected: Callable[[asyncio.StreamReader, asyncio.StreamWriter], None],
        loop: asyncio.AbstractEventLoop,
        gone: asyncio.Event,
    ) -> None:
        super().__init__(reader, connected, loop)
        self._gone = gone

    def eof_received(self) -> bool:
        self._gone.set()
        return bool(super().eof_received())

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone.set()
        super().connection_lost(exc)


Handler = Callable[[Exchange], Awaitable[None]]


class LoopbackServer:
    """Runs `handler` for each request, in an event loop on a thread of its own."""

    def __init__(self, handler: Handler, *, host: str = "127.0.0.1", port: int = 0) -> None:
        self._handler = handler
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((host, port))
        self._socket.listen(128)
        address, self.port = self._socket.getsockname()[:2]
        self.origin = f"http://{address}:{self.port}"
        self.loop = asyncio.new_event_loop()
        self.connections = 0
        self._open: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="loopback-server", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Cut every connection and stop listening. Idempotent.

        Raises what a handler raised, if one did: a mistake in a test's own script.
        """
        if self._thread.is_alive():
            self.loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()
        self._socket.close()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_until_complete(self._serve())
        finally:
            self.loop.close()

    async def _serve(self) -> None:
        server = await self.loop.create_server(self._connection, sock=self._socket)
        await self._stop.wait()
        server.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    def _connection(self) -> _Connection:
        gone = asyncio.Event()

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = self.loop.create_task(self._talk(reader, writer, gone))
            self._open.add(task)
            task.add_done_callback(self._finished)

        reader = asyncio.StreamReader(limit=_MAX_HEAD, loop=self.loop)
        return _Connection(reader, connected, self.loop, gone)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._open.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failure = self._failure or error

    async def _talk(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gone: asyncio.Event
    ) -> None:
        self.connections += 1
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while (exchange := await _read(reader, writer, gone)) is not None:
                await self._handler(exchange)
                if not exchange.over or writer.is_closing():
                    break
        except (ClientGone, ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            # The connection is over, whoever ended it: there is nobody left to tell.
            pass
        finally:
            writer.close()


async def _read(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, gone: asyncio.Event
) -> Exchange | None:
    """The next request of the connection, None when the client is done."""
    try:
        first = await reader.readexactly(1)
        if not first.isalpha():
            # A TLS handshake, say: real servers answer at once instead of waiting for more.
            writer.write(_head(400, {"Connection": "close"}))
            return None
        head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError as end:
        if end.partial:
            raise
        return None
    request, *lines = head.split("\r\n")
    method, target, _ = request.split(" ", 2)
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in lines if line)
    }
    if headers.get("transfer-encoding", "").lower() == "chunked":
        body = await _chunked(reader)
    else:
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Exchange(method, target, headers, body, writer, gone)


async def _chunked(reader: asyncio.StreamReader) -> bytes:
    body = b""
    while size := int((await reader.readline()).split(b";")[0], 16):
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    while (await reader.readline()).strip():
        continue
    return body


def _head(status: int, headers: Mapping[str, Any]) -> bytes:
    try:
        reason = HTTPStatus(status).phrase
    except ValueError:
        reason = "Status"
    lines = [
        f"HTTP/1.1 {status} {reason}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
