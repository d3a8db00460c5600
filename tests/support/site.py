"""A small real web server on loopback, one handler a path."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

Handler = Callable[[BaseHTTPRequestHandler], None]


class Site:
    """Serves `pages`; `asked` lists the paths requested, in order."""

    def __init__(self, pages: dict[str, Handler]) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Request(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                asked.append(self.path)
                handler = pages.get(self.path.partition("?")[0])
                try:
                    if handler is None:
                        self.send_error(404)
                    else:
                        handler(self)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Request)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self.port = self._server.server_address[1]
        self.base = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def page(body: bytes, **headers: str) -> Handler:
    """Answer 200 with `body`; header names are written with underscores."""

    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        sent = {"Content-Type": "text/html; charset=utf-8"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in sent.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    return answer


def redirect(target: str) -> Handler:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(302)
        request.send_header("Location", target)
        request.send_header("Content-Length", "0")
        request.end_headers()

    return answer
