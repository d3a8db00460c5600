"""Runs the service: listens, says where, and ends in good order."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator

import uvicorn

from kebab_core import api
from kebab_server.app import build
from kebab_server.clock import Clock
from kebab_server.http.event_stream import KEEP_ALIVE_S
from kebab_server.http.patience import ImpatientH11
from kebab_server.identity.settled import settle
from kebab_server.service import Service

FAREWELL_S = 10
"""Time for readers to take the last events after the service was told to stop."""
WARM_S = 10
"""A store or a model that takes longer is loaded while the first callers come."""
_BACKLOG = 2048
_FILES = 65_536
_SIGNALS = (signal.SIGINT, signal.SIGTERM)

Ready = Callable[[str, str | None], None]


def serve(
    configuration: api.Configuration,
    ready: Ready,
    *,
    clock: Clock | None = None,
    keep_alive_s: float = KEEP_ALIVE_S,
) -> int | None:
    """Serve until a signal comes; returns its number. Raises a KebabError if it can't start.

    `ready` gets the address, and the local token where that is how callers are known, once
    requests are taken.
    """
    settings = configuration.settings.serve
    clock = clock or Clock()
    identity, token = settle(configuration, clock)
    raise_file_limit()
    listening = listen(settings.host, settings.port)
    with contextlib.closing(listening):
        service = Service.open(configuration, identity, clock, keep_alive_s=keep_alive_s)
        _warm(service.base)
        config = uvicorn.Config(
            build(service, _names(settings.host, settings.allowed_hosts)),
            http=ImpatientH11,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            root_path=settings.root_path.rstrip("/"),
            timeout_graceful_shutdown=FAREWELL_S,
            timeout_keep_alive=30,
            backlog=_BACKLOG,
        )
        server = Server(config, service, lambda: ready(address_of(listening), token))
        server.run(sockets=[listening])
    return server.caught


def _warm(base: api.KnowledgeBase) -> None:
    """Load what the first asks would all wait for, and wait for it a while."""

    def load() -> None:
        # The name imports what a run needs.
        _ = api.AskRun
        base.warm()

    warming = threading.Thread(target=load, name="kebab-warm", daemon=True)
    warming.start()
    warming.join(WARM_S)


def raise_file_limit() -> None:
    """Each reader is an open file, and shells often allow a thousand only."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises a KebabError."""
    try:
        where = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        family, kind, protocol, _, address = where[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind(address)
            made.listen(_BACKLOG)
        except OSError:
            made.close()
            raise
    except OSError as failure:
        hint = "Choose another with `--host` or `--port`."
        if failure.errno == errno.EADDRINUSE:
            hint = "Another program listens there: choose another port with `--port` (0: any)."
        raise api.IOFailed(
            f"Can't listen on {host} port {port}: {failure.strerror or failure}.", hint
        ) from failure
    made.setblocking(False)
    return made


def address_of(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def _names(host: str, allowed: list[str]) -> list[str]:
    """Those the service answers to beside loopback. An address that means "all" is no name."""
    try:
        everywhere = ipaddress.ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        everywhere = False
    return [*allowed] if everywhere else [host, *allowed]


class Server(uvicorn.Server):
    """Ends running asks before it waits for their readers; leaves signals to its caller."""

    def __init__(
        self, config: uvicorn.Config, service: Service, started: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self.caught: int | None = None
        self._service = service
        self._started = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.desk.shut_down()
        await super().shutdown(sockets)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The first signal ends the service in good order, the second at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        if sys.platform == "win32":
            # Its event loop knows no signal handlers.
            with super().capture_signals():
                yield
            return
        loop = asyncio.get_running_loop()
        for number in _SIGNALS:
            loop.add_signal_handler(number, self._signalled, number)
        try:
            yield
        finally:
            for number in _SIGNALS:
                loop.remove_signal_handler(number)

    def _signalled(self, number: int) -> None:
        if self.should_exit:
            self.force_exit = True
        self.caught = self.caught or number
        self.should_exit = True
