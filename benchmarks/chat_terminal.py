"""A program in a real pseudo-terminal, watched: what it writes and when, what it takes."""

from __future__ import annotations

import os
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import pexpect
import psutil

from kebab_core.ingest import ingest
from kebab_core.knowledge_base import KnowledgeBase
from kebab_core.settings.load import load
from kebab_core.types import IngestOptions

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\a\x1b]*(?:\a|\x1b\\)|[PX^_].*?\x1b\\|.)")
NOTICE = (
    "# Leave\n\n## Notice\n\nGive eight weeks' written notice of parental leave to your manager.\n"
)
QUESTION = "How many weeks' notice of parental leave?"


class Watched:
    """Started at once; a thread reads what it writes, so that nothing waits for us."""

    def __init__(
        self, arguments: list[str], variables: dict[str, str], *, columns: int = 120
    ) -> None:
        self._child = pexpect.spawn(
            sys.executable,
            ["-m", "kebab_cli", *arguments],
            env=variables,
            dimensions=(36, columns),
            encoding="utf-8",
            codec_errors="replace",
            timeout=60,
        )
        self._child.delaybeforesend = None
        self.process = psutil.Process(self._child.pid)
        self._text = ""
        self.written = 0
        self._changed = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._child.kill(signal.SIGTERM)
        self._child.wait()

    def _read(self) -> None:
        while True:
            try:
                piece = self._child.read_nonblocking(65536, 60)
            except pexpect.TIMEOUT:
                continue
            except (pexpect.EOF, OSError, ValueError):
                return
            with self._changed:
                self._text = (self._text + piece)[-200_000:]
                self.written += len(piece)
                self._changed.notify_all()

    def forget(self) -> None:
        """Only what is written from now on counts for `until`."""
        with self._changed:
            self._text = ""

    def until(self, wanted: str, within: float = 60.0) -> None:
        """Wait until `wanted` was written, colours aside. Raises TimeoutError."""
        with self._changed:
            found = self._changed.wait_for(
                lambda: wanted in self._text or wanted in _ESCAPES.sub("", self._text), within
            )
        if not found:
            raise TimeoutError(f"{wanted!r} was not written within {within} s")

    def wrote(self, wanted: str) -> bool:
        """Whether `wanted` was written since `forget`."""
        with self._changed:
            return wanted in _ESCAPES.sub("", self._text)

    def press(self, keys: str, within: float = 30.0) -> float:
        """Send `keys`; seconds until something is drawn. Raises TimeoutError."""
        before = self.written
        started = time.perf_counter()
        self.send(keys)
        with self._changed:
            found = self._changed.wait_for(lambda: self.written > before, within)
        if not found:
            raise TimeoutError(f"nothing was drawn within {within} s")
        return time.perf_counter() - started

    def until_quiet(self, seconds: float = 0.3) -> None:
        """Wait until nothing was written for so long."""
        while True:
            before = self.written
            time.sleep(seconds)
            if self.written == before:
                return

    def send(self, keys: str) -> None:
        self._child.send(keys)

    def cpu(self) -> float:
        """Seconds of a core, so far."""
        times = self.process.cpu_times()
        return float(times.user + times.system)

    def megabytes(self) -> float:
        return float(self.process.memory_info().rss) / 1e6

    def key_to_effect(self, number: int) -> float:
        """Seconds from a letter typed into the prompt until it is drawn."""
        # No answer holds such letters, so what is drawn is the key's effect.
        letter = chr(0xAC00 + number * 7 % 11_000)
        started = time.perf_counter()
        self.send(letter)
        with self._changed:
            if not self._changed.wait_for(lambda: letter in self._text, 60):
                raise TimeoutError(f"key {number} had no effect within 60 s")
        taken = time.perf_counter() - started
        if number % 20 == 19:
            self.send("\x15")
            self.forget()
        return taken


def centiles(taken: list[float]) -> str:
    """`p50 12 ms  p99 40 ms`, of at least two times in seconds."""
    ranks = statistics.quantiles(taken, n=100, method="inclusive")
    return f"p50 {ranks[49] * 1000:4.0f} ms  p99 {ranks[98] * 1000:4.0f} ms"


def make_corpus(folder: Path) -> dict[str, str]:
    """One document, read without an embedding model; the variables to open it with."""
    documents = folder / "docs"
    documents.mkdir()
    (documents / "leave.md").write_text(NOTICE, encoding="utf-8")
    data = folder / "data"
    with KnowledgeBase.open(load(data_dir=data, cwd=folder)) as base:
        ingest(
            base.store,
            None,
            [str(documents)],
            IngestOptions(),
            base.configuration,
            on_event=lambda event: None,
            cancelled=lambda: False,
        )
    return os.environ | {
        "TERM": "xterm-256color",
        "KEBAB_DATA_DIR": str(data),
        "KEBAB_SEARCH__MODE": "lexical",
        "KEBAB_ASK__MODE": "single",
        "KEBAB_ASK__SCORE_GATE": "0",
        "KEBAB_MODEL_ASK": "quote",
        "KEBAB_MODEL_STARTERS": "quote",
    }


def serve(script: Path) -> tuple[subprocess.Popen[str], str]:
    """A scripted model in a process of its own, and its address."""
    server = subprocess.Popen(
        [sys.executable, "-m", "kebab_core.testing", "--script", str(script)],
        stdout=subprocess.PIPE,
        text=True,
    )
    if server.stdout is None:
        raise RuntimeError("the server has no output")
    return server, server.stdout.readline().strip()
