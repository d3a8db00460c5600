"""Whether what is stored of a document may no longer be what is on disk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from kebab_core.types import Document


class Staleness:
    """Looks at the file itself, once for each document it is asked about."""

    def __init__(self, stale_after_days: int, *, now: datetime | None = None) -> None:
        self._oldest = (now or datetime.now(UTC)) - timedelta(days=stale_after_days)
        self._changed: dict[str, bool] = {}

    def of(self, document: Document) -> bool:
        """True if no ingest saw it unchanged lately, or its file is gone or differs now.

        A file differs when its size or its time of change does; it is not read.
        """
        if document.verified_at < self._oldest:
            return True
        if document.file_path is None:
            return False
        if document.doc_id not in self._changed:
            self._changed[document.doc_id] = differs_on_disk(document)
        return self._changed[document.doc_id]


def differs_on_disk(document: Document) -> bool:
    """Whether its file is gone or of another size or time; False for one that has no file."""
    if document.file_path is None:
        return False
    try:
        stat = Path(document.file_path).stat()
    except (OSError, ValueError):  # gone, out of reach, or no path of this system
        return True
    return stat.st_size != document.byte_len or stat.st_mtime_ns != document.mtime_ns
