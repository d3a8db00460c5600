"""Shared by all tests: a home of their own, nothing of the person's environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parent.parent
DATA = REPO.parent / "shared" / "data"


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has an empty home, and no key, setting or proxy of the person who runs it."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("KEBAB_", "XDG_", "OLLAMA_")) or name.endswith(
            ("_API_KEY", "_PROXY", "_proxy")
        ):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("LANCEDB_LOG", "error")
    # A developer's own Ollama must not answer the tests' questions: port 9 discards.
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    return home


@pytest.fixture
def shared_data() -> Path:
    """The public test collections; skips where they are not laid beside the checkout."""
    if not DATA.is_dir():
        pytest.skip(f"no test collections at {DATA}")
    return DATA


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Bytes aren't shown: those of an archive hold the time, and every worker has another."""
    return argname if isinstance(val, bytes) else None
