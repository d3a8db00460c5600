"""Asking before something is lost."""

from __future__ import annotations

import sys

from kebab_cli.output import Output
from kebab_core import api

_YES = {"y", "yes"}


def confirm(output: Output, question: str) -> bool:
    """Whether a person at a terminal says yes. Raises InvalidInput where nobody can be asked."""
    if not (sys.stdin and sys.stdin.isatty() and output.stderr.is_terminal) or output.machine:
        raise api.InvalidInput(f"{question} Nobody can be asked here.", "Say it with `--yes`.")
    output.clear_fleeting()
    output.stderr.write(api.for_display(f"{question} [y/N] "))
    return sys.stdin.readline().strip().lower() in _YES
