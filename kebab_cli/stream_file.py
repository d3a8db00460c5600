"""A stream as the text file that libraries print to."""

from __future__ import annotations

import io
from collections.abc import Callable

from kebab_cli.stream import PipeClosed, Stream, WriteFailed


class StreamFile(io.TextIOBase):
    """Passes what others print to a Stream; the failures stay the Stream's own."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(
        self, stream: Stream, on_failure: Callable[[PipeClosed | WriteFailed], None] | None
    ) -> None:
        self._stream = stream
        self._on_failure = on_failure

    def write(self, text: str) -> int:
        try:
            self._stream.write(text)
        except (PipeClosed, WriteFailed) as failure:
            if self._on_failure is None:
                raise
            self._on_failure(failure)
        return len(text)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._stream.is_terminal

    def fileno(self) -> int:
        return self._stream.fd
