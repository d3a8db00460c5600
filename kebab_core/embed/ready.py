"""From a choice to a graph that can run: found in the cache, else built from its weights."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kebab_core.embed import default_model
from kebab_core.embed.built import (
    BuiltModel,
    Card,
    build,
    built_directory,
    dimensions_of,
    file_sha256,
    find_built,
)
from kebab_core.embed.choice import Choice
from kebab_core.embed.folder import ModelFolder, read_folder
from kebab_core.embed.onnx import OnnxEmbedder
from kebab_core.embed.unfetched import Unfetched
from kebab_core.embed.weights import INSTALL, Notice, default_directory, default_weights
from kebab_core.errors import EmbedderUnavailable

_PATIENCE_S = 900
_NO_FETCH_PATIENCE_S = 15
_POINTER = "weights.json"


def onnx_embedder(choice: Choice, models: Path, *, fetch: bool, notice: Notice) -> OnnxEmbedder:
    """Raises EmbedderUnavailable, and UnsupportedFolder where another runtime may do."""
    built = find_ready(choice, models)
    if built is not None:
        try:
            return OnnxEmbedder(built)
        except ValueError:
            # A copy cut short by a full disk, say. It can be made again from its weights.
            notice("The cached embedding model is damaged; building it again.")
            shutil.rmtree(built.directory, ignore_errors=True)
    built = make_ready(choice, models, fetch=fetch, notice=notice)
    try:
        return OnnxEmbedder(built)
    except ValueError as error:
        raise EmbedderUnavailable(
            f"The embedding model can't be loaded: {error}.",
            f"Delete {models}, then run `{INSTALL}`.",
        ) from error


def find_ready(choice: Choice, models: Path) -> BuiltModel | None:
    """The graph in the cache. Costs a few small reads; imports nothing heavy."""
    sha256 = _known_weights(choice, models)
    if sha256 is None:
        return None
    return find_built(_directory(choice, models, sha256))


def make_ready(choice: Choice, models: Path, *, fetch: bool, notice: Notice) -> BuiltModel:
    """Get the weights and build the graph, once for all processes.

    Raises EmbedderUnavailable and UnsupportedFolder.
    """
    with _kept(models), _alone(models, notice, patient=fetch):
        built = find_ready(choice, models)  # another process may just have made it
        return built or _make(choice, models, fetch=fetch, notice=notice)


def weights_folder(choice: Choice, models: Path, *, fetch: bool, notice: Notice) -> Path:
    """The folder with the model's files. Raises EmbedderUnavailable and UnsupportedFolder."""
    if choice.is_default:
        return default_weights(models, fetch=fetch, notice=notice)
    if choice.folder is not None:
        if not choice.folder.is_dir():
            raise EmbedderUnavailable(
                f"There is no folder {choice.folder}, which embedding.model names.",
                "Set embedding.model to an existing folder, or to default.",
            )
        return choice.folder
    from kebab_core.embed import hub

    if fetch:
        notice(_fetching(choice))
    try:
        return hub.named_folder(choice.model, fetch=fetch)
    except Unfetched as error:
        place = "the model hub" if fetch else "the hub's own cache"
        raise EmbedderUnavailable(
            f"The embedding model {choice.model} is not on this machine. Tried {place}: {error}.",
            "Check embedding.model and the network, or set embedding.model to default."
            if fetch
            else f"Run `{INSTALL}`. Until then search is lexical only.",
        ) from error


def library_source(
    choice: Choice, models: Path, *, fetch: bool, notice: Notice
) -> tuple[str, str | Path]:
    """The model's name for an id, and what sentence-transformers loads: a folder or a hub name.

    Raises EmbedderUnavailable.
    """
    if choice.folder is None and not choice.is_default:
        if fetch:
            notice(_fetching(choice))
        return choice.model, choice.model
    with _kept(models), _alone(models, notice, patient=fetch):
        folder = weights_folder(choice, models, fetch=fetch, notice=notice)
    if choice.is_default:
        return choice.model, folder
    weights = sorted(folder.glob("*.safetensors")) or sorted(folder.glob("*.bin"))
    if not weights:
        raise EmbedderUnavailable(
            f"The folder {folder}, which embedding.model names, holds no weights.",
            "Set embedding.model to a sentence-transformers folder, or to default.",
        )
    return f"{folder.name}-{file_sha256(weights[0])[:8]}", folder


def find_library_source(choice: Choice, models: Path) -> Path | None:
    """Where the files for sentence-transformers are, if they are on this machine."""
    if choice.is_default:
        folder = default_directory(models)
    else:
        from kebab_core.embed import hub

        folder = choice.folder or hub.cached_model(choice.model)
    return folder if folder.is_dir() else None


def _make(choice: Choice, models: Path, *, fetch: bool, notice: Notice) -> BuiltModel:
    path = weights_folder(choice, models, fetch=fetch, notice=notice)
    folder = read_folder(path, default_model.HUB_NAME if choice.is_default else choice.model)
    notice("Preparing the embedding model for this machine, once.")
    # The default's own bytes were checked on their way into the cache.
    sha256 = default_model.PINNED[default_model.WEIGHTS]
    if not choice.is_default:
        sha256 = file_sha256(folder.weights)
    card = Card(
        name=choice.model if choice.folder is None else f"{choice.folder.name}-{sha256[:8]}",
        precision=choice.precision,
        dimensions=dimensions_of(folder),
        max_length=folder.max_length,
        pooling=folder.pooling,
        profile=folder.profile,
        weights_sha256=sha256,
    )
    directory = _directory(choice, models, sha256)
    shutil.rmtree(directory, ignore_errors=True)  # unreadable, or it would have been found
    built = build(folder, card, directory)
    if not choice.is_default:
        _point(choice, models, folder, sha256)
    return built


def _directory(choice: Choice, models: Path, sha256: str) -> Path:
    return built_directory(models / "onnx", choice.slug, sha256, choice.precision)


def _known_weights(choice: Choice, models: Path) -> str | None:
    """The hash of the weights without reading them: pinned, or noted when they were built from."""
    if choice.is_default:
        return default_model.PINNED[default_model.WEIGHTS]
    try:
        noted = json.loads((models / "onnx" / choice.slug / _POINTER).read_text("utf-8"))
        if choice.folder is not None and noted["stat"] != _stat(Path(noted["path"])):
            return None  # the folder holds other weights by now
        return str(noted["sha256"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _point(choice: Choice, models: Path, folder: ModelFolder, sha256: str) -> None:
    weights = folder.weights.resolve()
    note = {"path": str(weights), "stat": _stat(weights), "sha256": sha256}
    pointer = models / "onnx" / choice.slug / _POINTER
    making = pointer.with_suffix(".new")
    making.write_text(json.dumps(note), "utf-8")
    making.replace(pointer)


def _stat(path: Path) -> list[int]:
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns]


def _fetching(choice: Choice) -> str:
    return f"Fetching the embedding model {choice.model} from the model hub, once."


@contextmanager
def _kept(models: Path) -> Iterator[None]:
    """A cache that can't be written is told as such."""
    try:
        yield
    except OSError as error:
        raise EmbedderUnavailable(
            f"The embedding model can't be kept in {models}: {error.strerror or error}.",
            "Make room there or make it writable, or set XDG_CACHE_HOME to another folder.",
        ) from error


@contextmanager
def _alone(models: Path, notice: Notice, *, patient: bool) -> Iterator[None]:
    """One process fetches and builds; the others wait for what it makes."""
    from filelock import FileLock, Timeout

    models.mkdir(parents=True, exist_ok=True)
    lock: Any = FileLock(models / ".lock")
    try:
        lock.acquire(timeout=0.2)
    except Timeout:
        notice("Another kebab is preparing the embedding model; waiting for it.")
        patience = _PATIENCE_S if patient else _NO_FETCH_PATIENCE_S
        try:
            lock.acquire(timeout=patience)
        except Timeout:
            raise EmbedderUnavailable(
                f"Another kebab is still preparing the embedding model after {patience} s.",
                "Wait for it, then try again. Until then search is lexical only.",
            ) from None
    try:
        yield
    finally:
        lock.release()
