"""nginx in front of a service, as Debian packages it: buffers nothing, hangs up on silence."""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

SILENCE_S = 20
"""Its idle time-out: shorter than a quiet run, longer than between two comments."""

_SETTINGS = """\
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass {upstream};
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_buffering off;
      proxy_read_timeout {silence}s;
    }}
  }}
}}
"""


@contextlib.contextmanager
def nginx(folder: Path, upstream: str, silence_s: int = SILENCE_S) -> Iterator[str | None]:
    """Its address; None where it isn't installed."""
    program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if program is None:
        yield None
        return
    folder.mkdir(parents=True, exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = folder / "nginx.conf"
    settings.write_text(
        _SETTINGS.format(folder=folder, port=port, upstream=upstream, silence=silence_s),
        encoding="utf-8",
    )
    process = subprocess.Popen(
        [program, "-c", str(settings), "-p", str(folder)], stderr=subprocess.DEVNULL
    )
    try:
        base = f"http://127.0.0.1:{port}"
        _wait(base, process, folder)
        yield base
    finally:
        process.terminate()
        process.wait(20)


def _wait(base: str, process: subprocess.Popen[bytes], folder: Path) -> None:
    where = urlsplit(base)
    deadline = time.monotonic() + 20
    while True:
        try:
            socket.create_connection((where.hostname or "", where.port or 0), timeout=1).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                log = folder / "error.log"
                told = log.read_text("utf-8") if log.exists() else "nothing"
                raise RuntimeError(f"nginx doesn't listen: {told}") from None
            time.sleep(0.05)
