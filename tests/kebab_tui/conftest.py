"""Pictures of the screen live in the repository's `snapshots/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytest_textual_snapshot import SVGImageExtension

SNAPSHOTS = Path(__file__).resolve().parents[2] / "snapshots"


def _dirname(*, test_location: Any) -> str:
    # syrupy relates a picture to its test by the module's name in the path.
    return str(SNAPSHOTS / test_location.basename)


SVGImageExtension.dirname = staticmethod(_dirname)


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the terminal that runs the tests shows in a picture."""
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "TMUX", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
