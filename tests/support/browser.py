"""A real browser without a window, told what to do through a pipe (DevTools protocol)."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

_SECONDS = 60.0


def chromium() -> str:
    """The program; skips the test where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    pytest.skip("no Chromium here (Debian's package `chromium`)")


class Browser:
    """One tab."""

    def __init__(self, profile: Path, width: int = 900, height: int = 900) -> None:
        self._messages = 0
        self._rest = b""
        self._session: str | None = None
        self.said: list[str] = []
        """What the page wrote to its console, violations of its policy too."""
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # The protocol's pipes are 3 and 4 in the browser.
        command = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        self._process = subprocess.Popen(
            [
                "bash",
                "-c",
                command,
                "browser",
                chromium(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--remote-debugging-pipe",
                f"--user-data-dir={profile}",
                f"--window-size={width},{height}",
                "about:blank",
            ],
            pass_fds=(to_read, to_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        target = next(
            one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page"
        )
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        self.call("Page.enable")
        self.call("Runtime.enable")
        self.call("Log.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()
        self._process.wait(20)
        os.close(self._write)
        os.close(self._read)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command's result."""
        self._messages += 1
        number = self._messages
        message = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + _SECONDS
        while True:
            found = self._message(deadline)
            if found.get("id") == number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                result: dict[str, Any] = found["result"]
                return result
            self._note(found)

    def _note(self, event: dict[str, Any]) -> None:
        given = event.get("params", {})
        if event.get("method") == "Log.entryAdded":
            self.said.append(given["entry"]["text"])
        elif event.get("method") == "Runtime.consoleAPICalled":
            self.said.append(str([one.get("value") for one in given["args"]]))
        elif event.get("method") == "Runtime.exceptionThrown":
            self.said.append(str(given["exceptionDetails"]))

    def _message(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self._read], [], [], max(0.0, left))
            if not ready:
                raise TimeoutError("the browser doesn't answer")
            piece = os.read(self._read, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has gone")
            self._rest += piece
        one, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(one)
        return found

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)

    def value(self, expression: str) -> Any:
        """Of a piece of JavaScript, awaited if it is a promise."""
        found = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["exception"].get("description"))
        return found["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until it holds. Raises TimeoutError."""
        deadline = time.monotonic() + _SECONDS
        while not self._holds(expression):
            if time.monotonic() > deadline:
                body = self.value("document.body.innerText")
                raise TimeoutError(f"never: {expression}\n{body}\n{self.said}")

    def _holds(self, expression: str) -> bool:
        try:
            return bool(self.value(f"!!({expression})"))
        except RuntimeError:  # the page is on its way
            return False

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def press_enter(self) -> None:
        for kind in ("keyDown", "keyUp"):
            key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "text": "\r"}
            self.call("Input.dispatchKeyEvent", type=kind, **key)

    def picture(self, file: Path) -> None:
        found = self.call("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(found["data"]))
