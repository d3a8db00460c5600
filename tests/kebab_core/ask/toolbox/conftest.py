from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import researching


@pytest.fixture
def asker(tmp_path: Path) -> researching.Asker:
    return researching.asker(tmp_path)
