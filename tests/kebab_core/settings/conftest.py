"""A project folder, the person's own file, and a way to be nobody."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from kebab_core import paths
from kebab_core.settings.load import Configuration, load


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def write_own() -> Callable[[str], Path]:
    """Write the person's own kebab.toml."""

    def write(text: str) -> Path:
        file = paths.config_dir() / paths.SETTINGS_FILE
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture
def write_project(project: Path) -> Callable[[str], Path]:
    """Write the project's kebab.toml."""

    def write(text: str) -> Path:
        file = project / paths.SETTINGS_FILE
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture
def load_there(project: Path) -> Callable[..., Configuration]:
    """`load` in the project's folder, with an environment of its own (empty unless given)."""

    def there(*, env: Mapping[str, str] | None = None, **given: Any) -> Configuration:
        return load(**{"cwd": project, "env": env or {}, **given})

    return there


@contextmanager
def nobody() -> Iterator[None]:
    """Run without root's power over permissions; as another user already, just run."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anyone may look into; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture
def as_nobody() -> Callable[[], Any]:
    return nobody
