"""The real program, run as people and scripts run it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "kebab_cli"]


@dataclass
class Kebab:
    """`kebab` in a folder, with variables of its own."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        found = {**os.environ, "TERM": "dumb", **self.variables, **(more or {})}
        # Compiled once, as an installed program is.
        found.pop("PYTHONDONTWRITEBYTECODE", None)
        return found

    def __call__(
        self, *arguments: str, stdin: str | None = None, env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *arguments],
            cwd=self.folder,
            env=self.environment(env),
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def shell(self, line: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """A line of bash in which `kebab` is the program."""
        program = f'kebab() {{ "{sys.executable}" -m kebab_cli "$@"; }}\n'
        return subprocess.run(
            ["bash", "-c", program + line],
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            **options,
        )

    def start(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        return subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=self.folder,
            env=self.environment(),
            text=True,
            **pipes,
        )
