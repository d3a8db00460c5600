"""A question from the command line, or from stdin with `-`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

# Far more than any question may have: what is longer is refused without reading it all.
_MOST_BYTES = 1_000_000


def question_text(words: Sequence[str]) -> str:
    """The words joined by spaces; `-` alone reads stdin. Raises InvalidInput."""
    from kebab_core import api

    if list(words) != ["-"]:
        return " ".join(words)
    if sys.stdin is None:
        raise api.InvalidInput(
            "The question should come from stdin, and stdin is closed.",
            'Pipe it in: `echo "…" | kebab ask -`.',
        )
    data = sys.stdin.buffer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise api.InvalidInput(
            f"The question on stdin is longer than {_MOST_BYTES:,} bytes.",
            "Ask shorter; documents go in with `kebab ingest PATH`.",
        )
    try:
        return data.decode("utf-8").strip()
    except UnicodeDecodeError as wrong:
        raise api.InvalidInput(
            f"The question on stdin isn't UTF-8: {wrong.reason} at byte {wrong.start}.",
            "Convert it first, for example with `iconv -t UTF-8`.",
        ) from wrong
