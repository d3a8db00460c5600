"""What is said on stderr in whole sentences, broken between words where a terminal's line ends."""

from __future__ import annotations

from kebab_cli.columns import cells, fill
from kebab_cli.output import Output, Toned, dim
from kebab_core.api import for_display


def say(output: Output, label: Toned, text: str) -> None:
    """`label`, such as `kebab: `, and the text after it."""
    width = output.width if output.stderr.is_terminal else None
    for line in text.split("\n"):
        if width is None or cells(label.text + for_display(line)) <= width:
            output.note(label, line)
            continue
        first, *rest = fill(for_display(line), width, label.text, "  ")
        output.note(label, first[len(label.text) :])
        for more in rest:
            output.note(more)


def say_hint(output: Output, hint: str) -> None:
    """What to type next, under what happened."""
    width = output.width if output.stderr.is_terminal else None
    for line in hint.split("\n"):
        flowing = width is not None and cells(for_display(line)) > width - 2
        for part in fill(for_display(line), width, "  ") if flowing else [f"  {line}"]:
            output.note("  ", dim(part[2:]))
