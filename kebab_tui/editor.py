"""The person's editor, opened at a line."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

_AT_COLON = {"subl", "sublime_text", "zed", "hx", "helix", "mate", "lapce"}
_VSCODE = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"}
_LINE_FLAG = {"idea", "pycharm", "webstorm", "goland", "clion", "rustrover", "kate", "gedit"}


def command(path: str, line: int, environment: Mapping[str, str] | None = None) -> list[str] | None:
    """What to run to open `path` at `line`; None if neither VISUAL nor EDITOR is set."""
    environment = os.environ if environment is None else environment
    wanted = environment.get("VISUAL") or environment.get("EDITOR") or ""
    words = shlex.split(wanted)
    if not words:
        return None
    name = Path(words[0]).name.removesuffix(".exe")
    if name in _VSCODE:
        return [*words, "--wait", "--goto", f"{path}:{line}"]
    if name in _AT_COLON:
        return [*words, f"{path}:{line}"]
    if name in _LINE_FLAG:
        return [*words, "--line", str(line), path]
    if name == "notepad++":
        return [*words, f"-n{line}", path]
    # vi, vim, nvim, nano, emacs, micro, kak, joe, ne, mg: all take +LINE before the file.
    return [*words, f"+{line}", path]
