"""What is watched: the places that a run over the same roots would walk."""

from __future__ import annotations

from collections.abc import Sequence

from kebab_core.errors import InvalidInput
from kebab_core.ingest import names, pages
from kebab_core.ingest import roots as roots_of
from kebab_core.settings.model import Settings
from kebab_core.store import Store


def starts(store: Store, settings: Settings, roots: Sequence[str]) -> list[str]:
    """Absolute paths of folders and files, there or not. Raises as `roots.cover` does, and
    InvalidInput for the address of a page."""
    if page := next((root for root in roots if pages.is_page(root)), None):
        raise InvalidInput(
            f"{page} can't be watched: a page is fetched when it is asked for.",
            "Watch files and folders.",
        )
    exists = store.exists()
    states = store.states() if exists else []
    files = {
        roots_of.file_of(state): state.doc_path
        for state in states
        if state.source_id == names.FILES_SOURCE
    }
    stored = store.sources() if exists else []
    coverage = roots_of.cover(roots, settings.sources, stored, files)
    return list(dict.fromkeys(unit.start for unit in coverage.units))
