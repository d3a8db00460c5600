"""Roots that are remembered, so that an ingest without paths refreshes them all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kebab_core.store.meta import Meta
from kebab_core.types import Scope

SourceOrigin: TypeAlias = Literal["settings", "command line"]
EVERYONE = "*"

_PREFIX = "source:"


@dataclass(frozen=True, slots=True)
class StoredSource:
    """A root. `path` is absolute; empty for the source of single files.

    `readers` are the subjects and groups that may see it over HTTP, `*` all of them; the owner
    sees every source.
    """

    source_id: str
    path: str
    made_by: SourceOrigin
    readers: tuple[str, ...] = ()

    def is_visible_to(self, readers: frozenset[str]) -> bool:
        return EVERYONE in self.readers or not readers.isdisjoint(self.readers)


class Sources:
    """The remembered roots, kept in the meta table."""

    def __init__(self, meta: Meta) -> None:
        self._meta = meta

    def all(self) -> list[StoredSource]:
        """By id."""
        values = self._meta.values()
        found = [_decoded(value) for key, value in values.items() if key.startswith(_PREFIX)]
        return sorted(found, key=lambda source: source.source_id)

    def visible(self, scope: Scope) -> list[str] | None:
        """Ids of the sources that may be seen; None means all, whoever made them."""
        if scope.readers is None:
            return None
        return [item.source_id for item in self.all() if item.is_visible_to(scope.readers)]

    def put(self, source: StoredSource) -> None:
        self._meta.put(_PREFIX + source.source_id, _encoded(source))

    def remove(self, source_id: str) -> None:
        self._meta.remove(_PREFIX + source_id)


def _encoded(source: StoredSource) -> str:
    return json.dumps(
        {
            "source_id": source.source_id,
            "path": source.path,
            "made_by": source.made_by,
            "readers": source.readers,
        }
    )


def _decoded(value: str) -> StoredSource:
    fields = json.loads(value)
    return StoredSource(
        fields["source_id"], fields["path"], fields["made_by"], tuple(fields["readers"])
    )
