"""The facade lists each name once, resolves it, and costs nothing until it is used."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from kebab_core import api


def test_every_name_resolves() -> None:
    for name in api.__all__:
        assert getattr(api, name) is not None


def test_the_type_checkers_list_is_the_runtime_list() -> None:
    tree = ast.parse(Path(api.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    static = {
        alias.asname or alias.name
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert static == set(api.__all__)


def test_importing_it_loads_nothing_heavy() -> None:
    code = (
        "import sys, kebab_core.api;"
        "print([m for m in ('pydantic','httpx','numpy','lancedb','textual') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"
