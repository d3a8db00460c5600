"""A model hub on a loopback port: real HTTP, as much of the hub's protocol as its client asks."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMMIT = "1234567890123456789012345678901234567890"


class Hub(ThreadingHTTPServer):
    """Serves the folders of `models` under their names; `asked` are the paths, in order."""

    def __init__(self, models: dict[str, Path]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.models = models
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def fetched(self) -> set[str]:
        """Files whose content was sent."""
        sent = [path for path in self.asked if path.startswith("GET ") and "/resolve/" in path]
        return {path.split(f"{COMMIT}/", 1)[1] for path in sent}


class _Handler(BaseHTTPRequestHandler):
    server: Hub
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        self.server.asked.append(f"{self.command} {path}")
        for name, folder in self.server.models.items():
            if path.startswith(f"/api/models/{name}"):
                return self._say(200, json.dumps(self._listed(name, folder)).encode(), body=body)
            if path.startswith(f"/{name}/resolve/"):
                file = folder / path.split("/resolve/", 1)[1].partition("/")[2]
                if file.is_file():
                    return self._say(200, file.read_bytes(), body=body)
        self.close_connection = True
        return self._say(404, b'{"error": "Repository not found"}', body=body, etag=False)

    def _listed(self, name: str, folder: Path) -> object:
        files = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
        if "/tree/" in self.path:
            return [
                {
                    "type": "file",
                    "path": file,
                    "size": (folder / file).stat().st_size,
                    "oid": "0" * 40,
                }
                for file in files
            ]
        return {"id": name, "sha": COMMIT, "siblings": [{"rfilename": file} for file in files]}

    def _say(self, status: int, content: bytes, *, body: bool, etag: bool = True) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("X-Repo-Commit", COMMIT)
        if etag:
            self.send_header("ETag", f'"{sha256(content).hexdigest()}"')
        else:
            self.send_header("X-Error-Code", "RepoNotFound")
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        return


@contextmanager
def serving(models: dict[str, Path]) -> Iterator[Hub]:
    hub = Hub(models)
    thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
        thread.join()
