"""Pictures of the screen live in the repository's `snapshots/`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pytest_textual_snapshot import SVGImageExtension

if TYPE_CHECKING:
    from tests.kebab_tui.terminal import Terminal

REPO = Path(__file__).resolve().parents[2]
SNAPSHOTS = REPO / "snapshots"


def _dirname(*, test_location: Any) -> str:
    # syrupy relates a picture to its test by the module's name in the path.
    return str(SNAPSHOTS / test_location.basename)


SVGImageExtension.dirname = staticmethod(_dirname)


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the terminal that runs the tests shows in a picture."""
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "TMUX", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def kebab(tmp_path: Path, own_home: Path) -> Callable[..., Terminal]:
    """Starts `kebab` in a pseudo-terminal over the handbook, answered by quotes."""
    from kebab_core.api import KnowledgeBase, load_configuration
    from tests.kebab_tui.stage import HANDBOOK, store_documents
    from tests.kebab_tui.terminal import KEBAB, Terminal

    documents = tmp_path / "docs"
    for path, text in HANDBOOK.items():
        if not path.endswith(".pdf"):
            file = documents / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    data = tmp_path / "data"
    with KnowledgeBase.open(load_configuration(data_dir=data, cwd=tmp_path)) as base:
        store_documents(base, documents)
    env = {
        "HOME": str(own_home),
        "PATH": os.environ.get("PATH", ""),
        "PYTHONPATH": str(REPO),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "LANCEDB_LOG": "error",
        "OLLAMA_HOST": "http://127.0.0.1:9",
        "KEBAB_MODEL_ASK": "quote",
        "KEBAB_SEARCH__MODE": "lexical",
        "KEBAB_DATA_DIR": str(data),
    }

    def start(*arguments: str, program: Sequence[str] | None = None, **extra: str) -> Terminal:
        return Terminal(*arguments, env={**env, **extra}, cwd=tmp_path, program=program or KEBAB)

    return start
