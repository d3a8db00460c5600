"""What a command may load, seen from `sys.modules` of a real process."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent
HEAVY = {"lancedb", "pyarrow", "textual", "onnxruntime", "onnx", "torch", "httpx", "numpy"}
SERVER = {"kebab_server", "starlette", "uvicorn", "jwt", "cryptography"}


def loaded(code: str) -> set[str]:
    """Top-level modules in `sys.modules` after `code` ran in a fresh interpreter."""
    program = f"import sys\n{code}\nprint(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in done.stderr.split()}


RUN = """
from kebab_cli.main import main
sys.argv = ["kebab", *{arguments!r}]
try:
    main()
except SystemExit:
    sys.stdout.flush()
"""


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["ask", "--help"], ["serve", "--help"]]
)
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    assert not loaded(RUN.format(arguments=arguments)) & (HEAVY | SERVER)


def test_the_screen_loads_no_store_and_no_model() -> None:
    assert not loaded("import kebab_tui") & (HEAVY - {"textual"})


def test_only_two_modules_may_import_torchs_world() -> None:
    offenders = []
    for package in ("kebab_core", "kebab_cli", "kebab_tui", "kebab_server"):
        for path in (REPO / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                names = (
                    [alias.name for alias in node.names]
                    if isinstance(node, ast.Import)
                    else [node.module or ""]
                    if isinstance(node, ast.ImportFrom)
                    else []
                )
                if any(n.partition(".")[0] in {"torch", "sentence_transformers"} for n in names):
                    offenders.append(path.relative_to(REPO).as_posix())
    assert set(offenders) == {
        "kebab_core/embed/sentence_transformers.py",
        "kebab_core/rerank/cross_encoder.py",
    }
