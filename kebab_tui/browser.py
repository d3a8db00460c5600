"""The chat in a browser: textual-serve behind a secret address, on this machine alone.

textual-serve itself lets in whoever reaches its port, also a page of another site that a browser
here has open. So every path begins with a random token, and a request counts only if its Host is
this very address, and its Origin, where it has one, too.
"""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Awaitable, Callable
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from textual_serve.server import Server

from kebab_tui.browser_page import PAGE, policy
from kebab_tui.themes import DARK, roles

if TYPE_CHECKING:
    from aiohttp import web

_HOST = "127.0.0.1"
_MOST_SESSIONS = 8
"""Chats open at once. Each is a process of its own."""
_SHUTDOWN_S = 5.0


class GuardedServer(Server):
    """`command` is run for each browser tab. Known after `start`: `address`, with its token."""

    def __init__(self, command: str, port: int = 0) -> None:
        super().__init__(command, host=_HOST, port=port, title="kebab")
        self.port: int = port
        self._token = secrets.token_urlsafe(24)
        self._open = 0
        self._runner: web.AppRunner | None = None

    @property
    def address(self) -> str:
        return f"{self.public_url}/{self._token}/"

    async def start(self) -> None:
        """Listen. Raises OSError for a port that is taken."""
        from aiohttp import web

        self._runner = web.AppRunner(
            await self._make_app(), access_log=None, shutdown_timeout=_SHUTDOWN_S
        )
        await self._runner.setup()
        site = web.TCPSite(self._runner, _HOST, self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.public_url = f"http://{_HOST}:{self.port}"

    async def stop(self) -> None:
        """Stop listening, and end every chat as ^q does."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _make_app(self) -> web.Application:
        from aiohttp import web

        app = web.Application(middlewares=[self._guard()])
        app.add_routes(
            [
                web.get("/{token}/", self.handle_index),
                web.get("/{token}/ws", self._socket),
                web.get("/{token}/download/{key}", self.handle_download),
                web.get("/{token}/static/{folder}/{name}", self._static),
            ]
        )
        return app

    def _guard(self) -> Callable[..., Awaitable[web.StreamResponse]]:
        from aiohttp import web

        @web.middleware
        async def guard(
            request: web.Request,
            handler: Callable[[web.Request], Awaitable[web.StreamResponse]],
        ) -> web.StreamResponse:
            if not self._is_allowed(request):
                return web.Response(status=404)
            return await handler(request)

        return guard

    def _is_allowed(self, request: web.Request) -> bool:
        token = request.match_info.get("token", "")
        if not secrets.compare_digest(token.encode(), self._token.encode()):
            return False
        # A name that a foreign page had point to this machine isn't our address.
        if request.headers.get("Host") != f"{_HOST}:{self.port}":
            return False
        origin = request.headers.get("Origin")
        if origin is None:
            return not request.path.endswith("/ws")
        return origin == self.public_url

    # --- what is served ------------------------------------------------------------------

    async def handle_index(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import web

        nonce = secrets.token_urlsafe(12)
        base = f"/{self._token}"
        page = Template(PAGE).substitute(
            **roles(DARK),
            nonce=nonce,
            static=f"{base}/static",
            socket=f"ws://{_HOST}:{self.port}{base}/ws",
        )
        return web.Response(
            text=page,
            content_type="text/html",
            headers={
                "Content-Security-Policy": policy(nonce, f"ws://{_HOST}:{self.port}"),
                "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
                "Cache-Control": "no-store",
            },
        )

    async def _static(self, request: web.Request) -> web.StreamResponse:
        """textual-serve's own files, by name: nothing else of the disk can be asked for."""
        from aiohttp import web

        folder, name = request.match_info["folder"], request.match_info["name"]
        if (folder, name) not in _STATIC:
            return web.Response(status=404)
        body = files("textual_serve").joinpath("static", folder, name).read_bytes()
        return web.Response(
            body=body,
            content_type=_STATIC[folder, name],
            headers={"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"},
        )

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import web

        if self._open >= _MOST_SESSIONS:
            return web.Response(status=503)
        self._open += 1
        try:
            return await self.handle_websocket(request)
        finally:
            self._open -= 1


_STATIC = {
    ("js", "textual.js"): "text/javascript",
    ("css", "xterm.css"): "text/css",
    ("fonts", "RobotoMono-VariableFont_wght.ttf"): "font/ttf",
    ("fonts", "RobotoMono-Italic-VariableFont_wght.ttf"): "font/ttf",
}


def serve(command: str, *, port: int, tell: Callable[[str], object]) -> int:
    """Serve until SIGINT or SIGTERM; `tell` gets the address. The exit code is 0.

    Raises OSError for a port that is taken.
    """

    async def run() -> None:
        server = GuardedServer(command, port)
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, ended.set)
        await server.start()
        tell(server.address)
        try:
            await ended.wait()
        finally:
            await server.stop()

    asyncio.run(run())
    return 0
