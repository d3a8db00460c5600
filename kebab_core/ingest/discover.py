"""Which files there are: every unit of a run is walked, known files keep their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kebab_core.ingest import names
from kebab_core.ingest.found import Discovery
from kebab_core.ingest.roots import Coverage
from kebab_core.ingest.walk import Walk


def discover(
    coverage: Coverage,
    files: dict[str, str],
    *,
    not_below: frozenset[str] = frozenset(),
    cancelled: Callable[[], bool] = lambda: False,
) -> Discovery:
    """Walk all units. `files` maps known single files to their doc_path, and new ones are added;
    `not_below` are directories never entered (the corpus's own). Stops early when `cancelled`.
    """
    for unit in coverage.units:
        if not unit.source.path and unit.start not in files:
            files[unit.start] = single_doc_path(unit.start, files.values())
    warnings: list[str] = []
    walked = []
    for unit in coverage.units:
        if cancelled():
            break
        others = coverage.roots_below(unit.start) | not_below
        walked.append(Walk(unit, others, files, warnings, cancelled).run())
    return Discovery(walked, warnings)


def single_doc_path(path: str, taken: Iterable[str]) -> str:
    """A name for a single file outside every root: its own, with as many of the folders above it
    as make it unlike those `taken`.

    A path that isn't UTF-8 is taken whole, so that the file can be found by it again.
    """
    text = names.to_text(path)
    whole = text.lstrip("/")
    if text != path:
        return whole
    used = set(taken)
    parts = whole.split("/")
    candidates = ("/".join(parts[-n:]) for n in range(1, len(parts) + 1))
    return next((name for name in candidates if name not in used), whole)
