"""The first search of a run: what is worth giving to the model, pinned passages first."""

from __future__ import annotations

import asyncio

from kebab_core.ask import gate
from kebab_core.ask.deps import AskDeps
from kebab_core.ask.pack import pack
from kebab_core.ask.record import Record
from kebab_core.types import AskOptions, Hit, SearchOptions


async def retrieve(query: str, options: AskOptions, deps: AskDeps, record: Record) -> list[Hit]:
    """The passages worth giving, before it is known how many fit. `record` hears how it went."""
    excluded = set(options.excluded)
    record.bar = gate.bar(deps.configuration.settings.ask.score_gate)
    result = await asyncio.to_thread(
        deps.search,
        query,
        SearchOptions(
            k=record.k + len(excluded),
            mode=record.mode,
            filters=options.filters,
            scope=options.scope,
        ),
    )
    record.mode, record.limited = result.mode, result.limited
    record.searches += 1
    record.returned = len(result.hits)
    record.embedding = deps.embedding()
    for warning in result.warnings:
        record.caution(warning)
    pinned = await _pinned(result.hits, options, deps, record)
    hits = [hit for hit in result.hits if hit.chunk.chunk_id not in excluded]
    return list(pack(hits[: record.k], pinned=pinned))


async def _pinned(
    found: tuple[Hit, ...], options: AskOptions, deps: AskDeps, record: Record
) -> list[Hit]:
    """Pinned passages in the order of pinning, from the search or else from the store."""
    wanted = options.pinned
    known = {hit.chunk.chunk_id: hit for hit in found}
    missing = [chunk_id for chunk_id in wanted if chunk_id not in known]
    if missing and deps.passages is not None:
        stored = await asyncio.to_thread(deps.passages, missing, options.scope)
        known |= {hit.chunk.chunk_id: hit for hit in stored}
    gone = sum(chunk_id not in known for chunk_id in wanted)
    if gone:
        noun = "passage is" if gone == 1 else "passages are"
        record.caution(f"{gone} pinned {noun} not in the corpus any more.")
    return [known[chunk_id] for chunk_id in wanted if chunk_id in known]
