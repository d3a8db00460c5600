"""HTTP to a model's server: one client, its time-outs, and nothing that leads elsewhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from kebab_core import __version__
from kebab_core.llm import failures
from kebab_core.llm.endpoint import Endpoint
from kebab_core.llm.failures import Broken
from kebab_core.llm.sse import MAX_LINE_BYTES, LineTooLong

if TYPE_CHECKING:
    import httpx

_ERROR_BYTES = 64_000
_ERROR_SECONDS = 5.0
_DRAIN_SECONDS = 0.05
_AFTERWORD_SECONDS = 2.0


class Reply:
    """A response whose body is still on its way. Header names are lower case."""

    def __init__(self, endpoint: Endpoint, response: httpx.Response) -> None:
        self._endpoint = endpoint
        self._response = response
        self.status = response.status_code
        self.headers: Mapping[str, str] = {
            name.lower(): value for name, value in response.headers.items()
        }
        self._body = self._read()

    @property
    def kind(self) -> str:
        """The media type, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    async def chunk(self, *, done: bool = False) -> bytes | None:
        """The next piece of the body, None at its end. Raises Broken if that comes too early.

        `done`: the model has said all, so what still follows may be late, cut or missing.
        """
        try:
            async with asyncio.timeout(_AFTERWORD_SECONDS if done else None):
                return await anext(self._body, None)
        except (TimeoutError, Broken):
            if done:
                return None
            raise

    async def whole(self) -> str:
        """All of a body that isn't streamed. Raises Broken and LineTooLong."""
        body = bytearray()
        async for chunk in self._body:
            body += chunk
            if len(body) > MAX_LINE_BYTES:
                raise LineTooLong
        return body.decode("utf-8", errors="replace")

    async def _read(self) -> AsyncGenerator[bytes, None]:
        import httpx

        try:
            async for chunk in self._response.aiter_bytes():
                yield chunk
        except httpx.TimeoutException as error:
            seconds = self._endpoint.silence_timeout_s
            raise Broken(f"was silent for {seconds:g} s") from error
        except httpx.TransportError as error:
            raise Broken("closed the connection in the middle") from error
        except httpx.DecodingError as error:
            raise Broken("sent a body that can't be decompressed") from error

    async def aclose(self) -> None:
        await self._body.aclose()
        await self._response.aclose()

    async def text(self, limit: int = _ERROR_BYTES) -> str:
        """The start of the body, as far as it comes within a few seconds."""
        body = bytearray()
        try:
            async with asyncio.timeout(_ERROR_SECONDS):
                async for chunk in self._body:
                    body += chunk
                    if len(body) >= limit:
                        break
        except (TimeoutError, Broken):
            # The status already says what matters; the body would only have told more.
            pass
        return body[:limit].decode("utf-8", errors="replace")

    async def drain(self) -> None:
        """Read what little follows the model's last word, so that the connection can be reused."""
        try:
            async with asyncio.timeout(_DRAIN_SECONDS):
                async for _ in self._body:
                    continue
        except (TimeoutError, Broken):
            # Then the connection is closed instead.
            return


class Connection:
    """To one endpoint, from one event loop. Cancelling a task that waits closes its socket.

    Proxies of the environment are used, except for loopback. Redirects are not followed: they
    would take the question, and maybe the key, to another place.
    """

    def __init__(self, endpoint: Endpoint, headers: Mapping[str, str] | None = None) -> None:
        self.endpoint = endpoint
        self._headers = dict(headers or {})
        self._opened: httpx.AsyncClient | None = None

    def _client(self) -> httpx.AsyncClient:
        if self._opened is None:
            import httpx

            endpoint = self.endpoint
            self._opened = httpx.AsyncClient(
                headers={
                    "User-Agent": f"kebab/{__version__}",
                    # Compression would gather words before it lets them go.
                    "Accept-Encoding": "identity",
                    **self._headers,
                },
                timeout=httpx.Timeout(
                    endpoint.silence_timeout_s, connect=endpoint.connect_timeout_s
                ),
                trust_env=not endpoint.is_loopback,
                # Reading the certificates takes 20 ms, which plain http has no use for.
                verify=not endpoint.base_url.startswith("http://"),
                follow_redirects=False,
            )
        return self._opened

    @asynccontextmanager
    async def post(self, path: str, body: Mapping[str, Any]) -> AsyncIterator[Reply]:
        """A reply of any status, once its headers are there.

        Raises ModelUnreachable if there is none.
        """
        import httpx

        client = self._client()
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", errors="replace")
        try:
            request = client.build_request(
                "POST",
                f"{self.endpoint.base_url}{path}",
                content=content,
                headers={"Content-Type": "application/json"},
            )
            response = await client.send(request, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise self._unreachable(error) from error
        reply = Reply(self.endpoint, response)
        try:
            yield reply
        finally:
            await reply.aclose()

    async def ask(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *, seconds: float
    ) -> tuple[int, Any]:
        """Status and JSON of a short request, None for a body that is no JSON.

        `path` may be a whole address of the same server. Raises ModelUnreachable.
        """
        import httpx

        url = path if "://" in path else f"{self.endpoint.base_url}{path}"
        try:
            async with asyncio.timeout(seconds):
                response = await self._client().request(method, url, json=body)
        except TimeoutError as error:
            raise failures.silent(self.endpoint, f"was silent for {seconds:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            raise self._unreachable(error) from error
        try:
            return response.status_code, response.json()
        except ValueError:
            return response.status_code, None

    async def aclose(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            await opened.aclose()

    def _unreachable(self, error: Exception) -> Exception:
        import httpx

        endpoint = self.endpoint
        if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
            seconds = endpoint.connect_timeout_s
            return failures.unreachable(
                endpoint, TimeoutError(f"it took no connection within {seconds:g} s")
            )
        if isinstance(error, httpx.TimeoutException):
            return failures.silent(endpoint, f"was silent for {endpoint.silence_timeout_s:g} s")
        hung_up = isinstance(error, httpx.ReadError | httpx.WriteError)
        if hung_up or "disconnected" in str(error):
            return failures.silent(endpoint, "closed the connection")
        if isinstance(error, httpx.RemoteProtocolError):
            return failures.not_a_model(endpoint, "something that is no HTTP")
        return failures.unreachable(endpoint, error)
