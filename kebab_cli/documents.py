"""A document's stored text by its line numbers: those that answers cite."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kebab_cli.output import dim
from kebab_cli.passages import Line

_LINES = re.compile(r"\A(\d{1,9})(-(\d{1,9})?)?\Z")


def line_range(text: str) -> tuple[int, int | None]:
    """First and last line of `10-40`, `10` or `10-`. Raises InvalidInput."""
    from kebab_core.api import InvalidInput

    if match := _LINES.match(text):
        first = int(match[1])
        last = int(match[3]) if match[3] else None if match[2] else first
        if first > 0 and (last is None or first <= last):
            return first, last
    raise InvalidInput(f"{text!r} are no lines.", "Write them so: `--lines 10-40`.")


def numbered(text: str, first: int, last: int | None) -> Iterator[Line]:
    """Those lines of `text`, each with its number."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    chosen = lines[first - 1 : last]
    digits = len(str(first + len(chosen)))
    for number, line in enumerate(chosen, start=first):
        yield (dim(f"{number:>{digits}}  "), line.rstrip("\r"))
