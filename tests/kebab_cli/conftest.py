"""The real program, run as people and scripts run it, with and without a corpus."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.models import use_real_models
from tests.support.program import Kebab

LEAVE = """\
# Leave

## Notice

The notice period is four weeks. It is given in writing to the team lead.

## Holidays

Every employee has 28 days of paid leave a year. Up to five unused days move to the next year.
"""
BACKUP = """\
# Backups

Backups run every night at 02:30. They are kept for 90 days on the server in Ulm.
"""


@pytest.fixture
def kebab(tmp_path: Path, own_home: Path) -> Kebab:
    """No corpus, no settings, an empty home."""
    return Kebab(tmp_path)


@pytest.fixture
def default_model(own_home: Path) -> Path:
    """The real embedding model, installed in the test's own home."""
    return use_real_models(own_home)


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `notes` and the corpus made of them, in `data`. Not to be changed."""
    folder = tmp_path_factory.mktemp("ingested")
    notes = folder / "notes"
    notes.mkdir()
    (notes / "leave.md").write_text(LEAVE, encoding="utf-8")
    (notes / "backup.md").write_text(BACKUP, encoding="utf-8")
    home = folder / "home"
    home.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("XDG_CACHE_HOME", "KEBAB_DATA_DIR"):
            patch.delenv(name, raising=False)
        patch.setenv("HOME", str(home))
        use_real_models(home)
        done = Kebab(folder, {"KEBAB_DATA_DIR": str(folder / "data")})("ingest", "notes")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def asking(kebab: Kebab, default_model: Path, ingested: Path) -> Kebab:
    """A copy of that corpus, to ask and to change."""
    data = kebab.folder / "data"
    shutil.copytree(ingested / "data", data)
    kebab.variables["KEBAB_DATA_DIR"] = str(data)
    return kebab
