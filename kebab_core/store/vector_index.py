"""The index over vectors: made where it pays, its recall watched.

Below `PAYS_FROM` chunks an exact search takes no more than some 25 ms. Above, vectors are grouped
(inverted file) and kept in one byte a dimension (scalar quantization); a search looks into the
nearest groups and compares the best found exactly. How many groups it must look into is measured
on the corpus itself, after each building, against exact search.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from kebab_core.store.engine import Engine
from kebab_core.store.meta import Meta
from kebab_core.store.schema import CHUNKS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAYS_FROM = 20_000
GROWTH = 2.0
"""It is built anew, with other groups, when the corpus is so many times larger."""
REFINE = 3
"""Times `k` candidates are compared exactly."""
RECALL = 0.97
"""Share of the true ten nearest that a search must find, on average over a sample."""
_PROBES = (16, 32, 64, 128, 256)
_SAMPLE = 48
_NEAREST = 10

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a search must know: `probes` groups are looked into. `rows` when it was built."""

    rows: int
    probes: int
    recall: float


class VectorIndex:
    def __init__(self, engine: Engine, meta: Meta) -> None:
        self._engine = engine
        self._meta = meta

    @property
    def tuned(self) -> Tuned | None:
        """None where there is no index: search is exact."""
        value = self._meta.values().get(self._key())
        return None if value is None else Tuned(**json.loads(value))

    def tend(self) -> None:
        """Build it where it pays and isn't there or has been outgrown; else do nothing.

        Only with the writer's lock. New rows are found without it: LanceDB compares them one by
        one until the next `optimize()` takes them in.
        """
        with self._engine.reported("Indexing the vectors"):
            table = self._engine.table(CHUNKS)
            rows = int(table.count_rows("vector IS NOT NULL"))
            built = self.tuned
            if rows < PAYS_FROM or (built is not None and rows < built.rows * GROWTH):
                return
            from lancedb.index import IvfSq

            table.create_index("vector", config=IvfSq(distance_type="cosine"), replace=True)
            probes, recall = self._measured(table)
        self._meta.put(self._key(), json.dumps(asdict(Tuned(rows, probes, recall))))
        _log.info("indexed %d vectors: %d groups a search, recall %.3f", rows, probes, recall)

    def _measured(self, table: Any) -> tuple[int, float]:
        """The fewest groups that reach `RECALL`, else the most; and the recall there."""
        queries = _sample(table)
        exact = [_ids(_exact(table, query)) for query in queries]
        recall = 0.0
        for probes in _PROBES:
            found = [_ids(_probing(table, query, probes)) for query in queries]
            recall = _recall(exact, found)
            if recall >= RECALL:
                return probes, recall
        return _PROBES[-1], recall

    def _key(self) -> str:
        return f"vector_index:{self._meta.generation()}"


def nearest(
    table: Any,
    vector: NDArray[np.float32],
    k: int,
    columns: Sequence[str],
    where: str | None,
    tuned: Tuned | None,
) -> Any:
    """Arrow rows of the `k` nearest with their `_distance`.

    A filter may leave little in the groups looked into; what comes short is searched exactly.
    """
    if tuned is not None:
        rows = _rows(_probing(table, vector, tuned.probes), k, columns, where)
        if rows.num_rows >= k or where is None:
            return rows
    return _rows(_exact(table, vector), k, columns, where)


def _exact(table: Any, vector: NDArray[np.float32]) -> Any:
    return table.search(vector, vector_column_name="vector").bypass_vector_index()


def _probing(table: Any, vector: NDArray[np.float32], probes: int) -> Any:
    query = table.search(vector, vector_column_name="vector")
    return query.nprobes(probes).refine_factor(REFINE)


def _rows(query: Any, k: int, columns: Sequence[str], where: str | None) -> Any:
    query = query.distance_type("cosine").select([*columns, "_distance"]).limit(k)
    return (query.where(where) if where else query).to_arrow()


def _ids(query: Any) -> set[str]:
    return set(_rows(query, _NEAREST, ["id"], None)["id"].to_pylist())


def _recall(exact: Sequence[set[str]], found: Sequence[set[str]]) -> float:
    shares = [len(a & b) / len(a) for a, b in zip(exact, found, strict=True) if a]
    return sum(shares) / len(shares) if shares else 1.0


def _sample(table: Any) -> list[Any]:
    """Vectors of chunks spread over the table, moved a little, as questions are off passages."""
    import numpy as np

    total = int(table.count_rows())
    offsets = sorted({i * total // _SAMPLE for i in range(_SAMPLE)})
    rows = table.take_offsets(offsets).select(["vector"]).to_arrow()
    vectors = [np.asarray(one, dtype=np.float32) for one in rows["vector"].to_pylist() if one]
    lot = np.random.default_rng(total)
    moved = []
    for vector in vectors:
        away = lot.standard_normal(vector.shape, dtype=np.float32)
        away *= 0.5 * np.linalg.norm(vector) / np.linalg.norm(away)
        moved.append((vector + away) / np.linalg.norm(vector + away))
    return moved
