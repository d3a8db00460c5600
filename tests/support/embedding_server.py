"""An embedding server on a loopback port, speaking OpenAI's protocol, Ollama's, or nonsense."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 8


def vector(text: str) -> list[float]:
    """Not of unit length, and another for each text."""
    return [float(sum(text.encode()) % (7 + i)) + 1 for i in range(DIMENSIONS)]


@dataclass(frozen=True)
class Asked:
    path: str
    body: dict[str, Any]
    authorization: str | None


@dataclass
class Reply:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0


Answering = Callable[[Asked], Reply]


def openai(asked: Asked) -> Reply:
    """The rows in reverse: their order is said by `index` only."""
    if asked.path != "/v1/embeddings":
        return Reply(404, b"<html>not found</html>")
    rows = [{"index": i, "embedding": vector(t)} for i, t in enumerate(asked.body["input"])]
    return Reply(body=json.dumps({"object": "list", "data": rows[::-1]}).encode())


def ollama(asked: Asked) -> Reply:
    if asked.path != "/api/embed":
        return Reply(404, b"404 page not found")
    if asked.body["model"] == "missing":
        return Reply(404, b'{"error": "model \\"missing\\" not found, try pulling it first"}')
    return Reply(body=json.dumps({"embeddings": [vector(t) for t in asked.body["input"]]}).encode())


def always(status: int, body: bytes = b"", **headers: str) -> Answering:
    return lambda _: Reply(status, body, headers)


class Server(ThreadingHTTPServer):
    def __init__(self, answering: Answering) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answering = answering
        self.asked: list[Asked] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length))
        asked = Asked(self.path, body, self.headers.get("Authorization"))
        self.server.asked.append(asked)
        reply = self.server.answering(asked)
        time.sleep(reply.delay_s)
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(reply.body)))
        with suppress(ConnectionError):  # a client that lost patience is gone
            self.end_headers()
            self.wfile.write(reply.body)

    def log_message(self, *_: object) -> None:
        return


@contextmanager
def serving(answering: Answering) -> Iterator[Server]:
    server = Server(answering)
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
