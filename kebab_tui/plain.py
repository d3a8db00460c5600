"""Text whose clickable parts look as they are written."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.widgets import Static


class Plain(Static):
    """Textual would draw everything that can be clicked in the colour of links."""

    auto_links = False


def flow(parts: Sequence[Content], width: int, gap: int = 3) -> Content:
    """`parts` side by side, none torn apart: what doesn't fit goes to the next line."""
    lines: list[list[Content]] = []
    room = 0
    for part in parts:
        if lines and part.cell_length + gap <= room:
            lines[-1].append(part)
            room -= part.cell_length + gap
        else:
            lines.append([part])
            room = width - part.cell_length
    spaced = Content(" " * gap)
    return Content("\n").join([spaced.join(line) for line in lines])
