"""A workspace of its own for each test, with a folder to be ingested."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from kebab_core.embed.base import Embedder
from kebab_core.ingest import ingest
from kebab_core.paths import Workspace
from kebab_core.settings.configuration import Configuration
from kebab_core.settings.model import Settings
from kebab_core.settings.state import UserState
from kebab_core.store import Store
from kebab_core.testing import HashEmbedder
from kebab_core.types import Document, IngestEvent, IngestOptions
from kebab_core.wire.ingest import IngestReport
from tests.kebab_core.ingest.extract.hostile import begin


@pytest.fixture(autouse=True)
def no_children_yet() -> None:
    begin()


@dataclass
class Desk:
    """A store, an embedder, and a folder `notes` beside them."""

    workspace: Workspace
    notes: Path
    embedder: Embedder | None
    settings: dict[str, Any] = field(default_factory=dict)
    events: list[IngestEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = Store.open(self.workspace)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.notes / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def ingest(
        self,
        *roots: Path | str,
        cancelled: Callable[[], bool] = lambda: False,
        on_event: Callable[[IngestEvent], None] = lambda event: None,
        configuration: Configuration | None = None,
        **options: bool,
    ) -> IngestReport:
        """Ingest `roots` (the folder, if none are given: say `everything=True` for no roots)."""
        everything = options.pop("everything", False)
        given: Sequence[Path | str] = roots or ([] if everything else [self.notes])
        self.events = []

        def hear(event: IngestEvent) -> None:
            self.events.append(event)
            on_event(event)

        return ingest(
            self.store,
            self.embedder,
            [str(root) for root in given],
            IngestOptions(**options),
            configuration or self.configuration(),
            on_event=hear,
            cancelled=cancelled,
        )

    def configuration(self) -> Configuration:
        return Configuration(
            settings=Settings.model_validate(self.settings),
            workspace=self.workspace,
            state=UserState.open(),
        )

    def documents(self) -> dict[str, Document]:
        """By path, with text."""
        return {item.doc_path: item for item in self.store.documents(with_text=True)}

    def paths(self) -> list[str]:
        return sorted(self.documents())


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    notes = tmp_path / "notes"
    notes.mkdir()
    return Desk(Workspace("test", tmp_path / "workspace"), notes, HashEmbedder(64))
