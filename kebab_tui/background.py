"""Work that must not hold up the screen: threads that end by posting a message."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Background:
    """Daemon threads by name. `wait` gives them a moment to end before the program does.

    They are daemons because a library deep in a load can't be told to stop, and leaving must
    not wait for it.
    """

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []

    def start(self, name: str, target: Callable[[], None]) -> None:
        """Run `target` in a thread of its own. It must not raise."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=target, name=f"kebab-{name}", daemon=True)
        self._threads.append(thread)
        thread.start()

    @property
    def busy(self) -> list[str]:
        """Names of what still runs."""
        return [thread.name for thread in self._threads if thread.is_alive()]

    def wait(self, seconds: float) -> bool:
        """Whether all ended within `seconds`."""
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not self.busy
