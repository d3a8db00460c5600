"""Checks that everything an ask needs is well, each finding with the command that mends it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator

from kebab_core.errors import KebabError
from kebab_core.llm.base import ChatModel
from kebab_core.settings.load import Configuration
from kebab_core.store import Store
from kebab_core.types import ModelChoice
from kebab_core.wire.reports import Check, Doctor


def examine(
    configuration: Configuration,
    store: Store,
    *,
    load_embedder: Callable[[], str],
    choose_model: Callable[[], ModelChoice],
    connect: Callable[[], ChatModel],
) -> Doctor:
    """Run all checks for real: models are loaded, the store is opened, the server is asked.

    `load_embedder` returns the embedding model's id or raises a KebabError.
    """
    checks = [
        *_settings(configuration),
        _directory("data directory", configuration),
        *_corpus(configuration, store),
        _embedding(store, load_embedder),
        _chat_model(choose_model, connect),
    ]
    return Doctor(ok=all(check.ok for check in checks), checks=checks)


def _settings(configuration: Configuration) -> Iterator[Check]:
    files = ", ".join(str(path) for path in configuration.files) or "no file, built-in defaults"
    yield Check(name="settings", ok=True, detail=files)
    if configuration.ignored:
        yield Check(
            name="project file",
            ok=False,
            detail="Not trusted, so these keys are ignored: " + ", ".join(configuration.ignored),
            hint="Read the file, then run `kebab config trust`.",
        )


def _directory(name: str, configuration: Configuration) -> Check:
    directory = configuration.workspace.directory
    existing = directory
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    ok = os.access(existing, os.W_OK | os.X_OK)
    return Check(
        name=name,
        ok=ok,
        detail=f"{directory} is {'writable' if ok else 'not writable'}",
        hint=None if ok else "Choose another place with `--data-dir DIR` or KEBAB_DATA_DIR.",
    )


def _corpus(configuration: Configuration, store: Store) -> Iterator[Check]:
    try:
        if not store.exists():
            yield Check(
                name="corpus",
                ok=False,
                detail=f"Workspace {configuration.workspace.name!r} has no documents yet.",
                hint="Add some with `kebab ingest PATH`.",
            )
            return
        stats = store.stats()
    except KebabError as failure:
        yield _failed("corpus", failure)
        return
    yield Check(
        name="corpus",
        ok=stats.documents > 0,
        detail=f"{stats.documents} documents, {stats.chunks} passages, revision {stats.revision}",
        hint=None if stats.documents else "Add some with `kebab ingest PATH`.",
    )
    if (beside := store.beside_meta) is not None:
        yield Check(
            name="re-indexing",
            ok=False,
            detail=f"Indexing everything with {beside.embedding_id or 'no model'} isn't finished.",
            hint="Run `kebab reindex` to go on with it.",
        )
    failing = [state for state in store.states() if state.error]
    if failing:
        shown = "; ".join(f"{item.doc_path}: {item.error}" for item in failing[:5])
        more = f"; and {len(failing) - 5} more" if len(failing) > 5 else ""
        yield Check(
            name="documents",
            ok=False,
            detail=f"{len(failing)} could not be read: {shown}{more}",
            hint="Mend or exclude them, then run `kebab ingest`.",
        )


def _embedding(store: Store, load_embedder: Callable[[], str]) -> Check:
    try:
        loaded = load_embedder()
        if store.exists():
            store.check(loaded)
    except KebabError as failure:
        return _failed("embedding model", failure)
    meta = store.meta if store.exists() else None
    if meta is not None and meta.embedding_id is None:
        return Check(
            name="embedding model",
            ok=False,
            detail=f"{loaded} loads, but the corpus was ingested without a model.",
            hint="Run `kebab ingest` to add vectors.",
        )
    return Check(name="embedding model", ok=True, detail=f"{loaded} loads and matches the corpus")


def _chat_model(choose_model: Callable[[], ModelChoice], connect: Callable[[], ChatModel]) -> Check:
    try:
        choice = choose_model()
        asyncio.run(_knock(connect))
    except KebabError as failure:
        return _failed("chat model", failure)
    return Check(name="chat model", ok=True, detail=f"{choice.ref} answers ({choice.how})")


async def _knock(connect: Callable[[], ChatModel]) -> None:
    model = connect()
    try:
        await model.warm()
    finally:
        await model.aclose()


def _failed(name: str, failure: KebabError) -> Check:
    return Check(name=name, ok=False, detail=failure.message, hint=failure.hint)
