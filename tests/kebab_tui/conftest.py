"""Pictures of the screen live in the repository's `snapshots/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pytest_textual_snapshot import SVGImageExtension

SNAPSHOTS = Path(__file__).resolve().parents[2] / "snapshots"


def _dirname(cls: type[Any], **_: Any) -> str:
    return str(SNAPSHOTS)


SVGImageExtension.dirname = classmethod(_dirname)


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the terminal that runs the tests shows in a picture."""
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL_ANIMATIONS", "TMUX", "VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
