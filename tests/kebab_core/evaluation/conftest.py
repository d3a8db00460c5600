"""A corpus of two documents, and questions about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kebab_core.knowledge_base import KnowledgeBase
from tests.support.asking import configured
from tests.support.corpus import stored

LEAVE = [
    "The notice period is four weeks and is given in writing.",
    "Every employee has thirty days of paid leave a year.",
]
BACKUP = ["Backups run every night at two and are kept in Ulm."]


@pytest.fixture
def base(tmp_path: Path) -> Iterator[KnowledgeBase]:
    """Searched by words, answered by quotes."""
    configuration = configured(tmp_path, None, {"search.mode": "lexical", "ask.score_gate": 0.4})
    with KnowledgeBase.open(configuration) as opened:
        opened.store.create(None, 8)
        opened.store.replace([stored("hr/leave.md", LEAVE), stored("ops/backup.md", BACKUP)])
        yield opened
