"""Where a fetch may go: public addresses over http and https, and nowhere else.

The address that was checked is the address that is connected to. The check lives in the
network backend, so that every connection passes it, those after a redirect too, and there is
no second look-up between check and use (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeAlias
from urllib.parse import SplitResult, urlsplit

import httpcore
import httpx

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolver: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host and port to the addresses it has, in order of preference."""

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_CARRIER_GRADE = ipaddress.ip_network("100.64.0.0/10")


class BlockedError(Exception):
    """The guard refuses. Its text says why and is safe to show to a model."""


def check_url(url: str) -> SplitResult:
    """The parsed address, if its form is allowed. Raises BlockedError."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as bad:
        raise BlockedError(f"not an address: {bad}") from bad
    if parts.scheme not in {"http", "https"}:
        raise BlockedError(f"only http and https, not {parts.scheme or 'nothing'}")
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise BlockedError("an address with a user name in it")
    if not host:
        raise BlockedError("an address without a host")
    # Parsers disagree on these, and a disagreement is a way past a check.
    if any(character in url for character in "\\\t\r\n ") or not url.isprintable():
        raise BlockedError("an address with spaces, backslashes or control characters")
    return parts


def check_address(text: str) -> Address:
    """The IP address, if it is a public one. Raises BlockedError."""
    address = ipaddress.ip_address(text.partition("%")[0])
    for seen in _meanings(address):
        if (
            not seen.is_global
            or seen.is_multicast
            or seen.is_reserved
            or (isinstance(seen, ipaddress.IPv6Address) and seen.is_site_local)
            or (seen.version == 4 and seen in _CARRIER_GRADE)
        ):
            raise BlockedError(f"{text} is not a public address")
    return address


def _meanings(address: Address) -> Iterable[Address]:
    """The address and every IPv4 address hidden inside it."""
    yield address
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            yield address.ipv4_mapped
        if address.sixtofour is not None:
            yield address.sixtofour
        if address.teredo is not None:
            yield from address.teredo
        if address in _NAT64 or int(address) >> 32 == 0:
            yield ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


async def system_resolver(host: str, port: int) -> list[str]:
    """The addresses the system knows for a name (decimal, octal and hex forms included)."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects to public addresses only, and to `allow_hosts` by name."""

    def __init__(
        self, allow_hosts: Iterable[str] = (), resolver: Resolver = system_resolver
    ) -> None:
        self._allowed = {host.casefold() for host in allow_hosts}
        self._resolver = resolver
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  the protocol's own parameter
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            addresses = list(dict.fromkeys(await self._resolver(host, port)))
        except OSError as unknown:
            raise httpcore.ConnectError(f"no address for {host}") from unknown
        if not addresses:
            raise httpcore.ConnectError(f"no address for {host}")
        if host.casefold() not in self._allowed:
            # One bad address taints the name: which of them answers is not ours to choose.
            for address in addresses:
                check_address(address)
        failure: Exception | None = None
        for address in addresses[:4]:
            try:
                return await self._inner.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as refused:
                failure = refused
        raise failure or httpcore.ConnectError(f"no address of {host} answered")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        raise BlockedError("a local socket")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _Body(httpx.AsyncByteStream):
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


class GuardedTransport(httpx.AsyncBaseTransport):
    """httpx over a connection pool whose every connection passes the guard. No proxy."""

    def __init__(self, backend: GuardedBackend) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=httpx.create_ssl_context(trust_env=False),
            max_connections=10,
            network_backend=backend,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        try:
            answer = await self._pool.handle_async_request(
                httpcore.Request(
                    method=request.method,
                    url=httpcore.URL(
                        scheme=request.url.raw_scheme,
                        host=request.url.raw_host,
                        port=request.url.port,
                        target=request.url.raw_path,
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        except httpcore.TimeoutException as late:
            raise httpx.ConnectTimeout(str(late) or "timed out", request=request) from late
        except (httpcore.NetworkError, httpcore.ProtocolError) as broken:
            raise httpx.ConnectError(str(broken), request=request) from broken
        return httpx.Response(
            answer.status,
            headers=answer.headers,
            stream=_Body(answer.stream),
            extensions=answer.extensions,
        )

    async def aclose(self) -> None:
        await self._pool.aclose()
