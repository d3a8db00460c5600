"""Copying where a terminal doesn't: what it takes, and where a copy goes instead."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

_MOST = 74_000
"""Bytes. In base64 that is what terminals take at the least: xterm stops at 100,000."""

_TOOLS = (
    (["pbcopy"], ""),
    (["clip.exe"], ""),
    (["wl-copy"], "WAYLAND_DISPLAY"),
    (["xclip", "-selection", "clipboard"], "DISPLAY"),
)
"""Programs that copy, each with the variable it can't do without."""

_PATIENCE_S = 2.0


def takes_copies(text: str, environment: Mapping[str, str] | None = None) -> bool:
    """Whether `text` may be copied by OSC 52: not where a terminal is known to ignore it.

    No terminal tells whether it did.
    """
    environment = os.environ if environment is None else environment
    version = environment.get("VTE_VERSION", "")
    return (
        len(text.encode("utf-8")) <= _MOST
        and environment.get("TERM", "") not in ("linux", "dumb")
        and environment.get("TERM_PROGRAM") != "Apple_Terminal"
        # GNOME's terminals are built on VTE, which took it up in 0.76.
        and not (version.isdigit() and int(version) < 7600)
    )


def for_outside(text: str, environment: Mapping[str, str] | None = None) -> str:
    """OSC 52 wrapped for the terminal around tmux or screen; empty without them.

    tmux takes a plain copy for itself.
    """
    environment = os.environ if environment is None else environment
    encoded = base64.b64encode(text.encode("utf-8")).decode("ascii")
    copy = f"\x1b]52;c;{encoded}\a"
    if "TMUX" in environment:
        return f"\x1bPtmux;\x1b{copy}\x1b\\"
    if environment.get("TERM", "").startswith("screen"):
        # screen takes no more than 768 bytes at a time.
        return "".join(f"\x1bP{copy[at : at + 700]}\x1b\\" for at in range(0, len(copy), 700))
    return ""


def copy_elsewhere(text: str, environment: Mapping[str, str] | None = None) -> str:
    """Copy by a program of this machine, else into a file; where it went, in words.

    Blocks for a moment. Raises OSError where not even a file could be written.
    """
    environment = os.environ if environment is None else environment
    tool = None if "SSH_CONNECTION" in environment else _tool(environment)
    if tool is not None:
        try:
            subprocess.run(tool, input=text.encode(), check=True, timeout=_PATIENCE_S)
        except (OSError, subprocess.SubprocessError):
            return _filed(text)
        return f"Copied by {Path(tool[0]).name}"
    return _filed(text)


def _tool(environment: Mapping[str, str]) -> list[str] | None:
    path = environment.get("PATH", "")
    for words, needed in _TOOLS:
        found = shutil.which(words[0], path=path)
        if found is not None and (not needed or needed in environment):
            return [found, *words[1:]]
    return None


def _filed(text: str) -> str:
    # Made so that only the person may read it: what is copied may be anything.
    handle, name = tempfile.mkstemp(prefix="kebab-copy-", suffix=".md")
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(text)
    return f"This terminal takes no such copy; it is in {name}"
