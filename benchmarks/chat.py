"""The chat's first frame beside that of a bare Textual app, each in a real terminal (a pty)."""

from __future__ import annotations

import os
import signal
import statistics
import sys
import tempfile
import time

import pexpect

ROUNDS = 5
BARE = """
from textual.app import App
from textual.widgets import Label
class Bare(App[None]):
    def compose(self):
        yield Label("a bare app")
Bare().run()
"""


def first_frame(command: list[str], shown: str, variables: dict[str, str]) -> float:
    """Seconds from the start of the process until `shown` is on the screen."""
    started = time.perf_counter()
    child = pexpect.spawn(
        command[0],
        command[1:],
        env=variables,
        dimensions=(36, 120),
        encoding="utf-8",
        codec_errors="replace",
        timeout=60,
    )
    try:
        child.expect_exact(shown)
        return time.perf_counter() - started
    finally:
        child.kill(signal.SIGTERM)
        child.expect(pexpect.EOF)
        child.close()


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        variables = os.environ | {"TERM": "xterm-256color", "KEBAB_DATA_DIR": folder}
        cases = {
            "a bare Textual app": ([sys.executable, "-c", BARE], "a bare app"),
            "kebab": ([sys.executable, "-m", "kebab_cli", "tui"], "Commands"),
        }
        medians = {}
        for name, (command, shown) in cases.items():
            first_frame(command, shown, variables)
            times = [first_frame(command, shown, variables) for _ in range(ROUNDS)]
            medians[name] = statistics.median(times) * 1000
    bare = medians["a bare Textual app"]
    for name, ms in medians.items():
        print(f"first frame of {name:<22}{ms:8.0f} ms  {ms / bare:.2f} × the bare app")
    return 0


if __name__ == "__main__":
    sys.exit(main())
