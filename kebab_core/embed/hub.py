"""Models by name from the model hub, through its own client and into its own cache."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kebab_core.embed import default_model
from kebab_core.embed.bert_graph import BertShape, NotBertShaped
from kebab_core.embed.folder import UnsupportedFolder, read_folder
from kebab_core.embed.unfetched import Unfetched

_SETTINGS = ["*.json", "*/config.json", "README.md"]
_READY_GRAPH = "onnx/model.onnx"
_PATIENCE_S = 10


def cached_default_files() -> dict[str, Path]:
    """The default model's pinned files in the client's own cache. Raises Unfetched."""
    # Looking first spares a search without a model the client's import, half a second.
    if not cached_model(default_model.HUB_NAME).is_dir():
        raise Unfetched("not there")
    folder = _snapshot(default_model.HUB_NAME, list(default_model.PINNED), fetch=False)
    found = {name: folder / name for name in default_model.PINNED}
    if not all(path.is_file() for path in found.values()):
        raise Unfetched("only a part of it is there")
    return found


def download_default_files(into: Path) -> dict[str, Path]:
    """The default model's pinned files, fetched into `into`. Raises Unfetched."""
    names = list(default_model.PINNED)
    folder = _snapshot(default_model.HUB_NAME, names, fetch=True, into=into)
    if missing := [name for name in names if not (folder / name).is_file()]:
        raise Unfetched(f"it has no {', '.join(missing)}")
    return {name: folder / name for name in names}


def cached_model(name: str) -> Path:
    """Where the client would keep the model, by its documentation. Nothing is imported."""
    return _cache() / f"models--{name.replace('/', '--')}"


def _cache() -> Path:
    if cache := os.environ.get("HF_HUB_CACHE"):
        return Path(cache).expanduser()
    general = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    return Path(os.environ.get("HF_HOME") or general / "huggingface").expanduser() / "hub"


def named_folder(name: str, *, fetch: bool) -> Path:
    """The folder of a sentence-transformers model, with what the ONNX runtime needs of it.

    Of the weights only those are fetched that will be used. Raises Unfetched, and
    UnsupportedFolder where the model can't run on ONNX Runtime.
    """
    folder = _snapshot(name, _SETTINGS, fetch=fetch)
    weights = [default_model.WEIGHTS]
    if not _bert_shaped(folder):
        weights = [_READY_GRAPH, f"{_READY_GRAPH}_data"]
    _snapshot(name, [*_SETTINGS, *weights], fetch=fetch)
    if not fetch and not any((folder / file).is_file() for file in weights):
        raise Unfetched("only a part of it is there")
    read_folder(folder, name)
    return folder


def _bert_shaped(folder: Path) -> bool:
    config = folder / "config.json"
    if not config.is_file():
        raise UnsupportedFolder("it has no config.json")
    try:
        BertShape.of(json.loads(config.read_text("utf-8")))
    except (NotBertShaped, ValueError):
        return False
    return True


def _snapshot(name: str, patterns: Sequence[str], *, fetch: bool, into: Path | None = None) -> Path:
    try:
        import httpx
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import (
            HfHubHTTPError,
            HFValidationError,
            LocalEntryNotFoundError,
        )
    except ImportError as error:
        raise Unfetched(f"its client can't be loaded ({error})") from error

    try:
        with _quiet():
            # This call asks for the list of files first, which fails at once where there is no
            # network; fetching a single file would retry for half a minute.
            found = snapshot_download(
                name,
                allow_patterns=list(patterns),
                local_files_only=not fetch,
                local_dir=into,
                etag_timeout=_PATIENCE_S,
            )
    except HFValidationError:
        raise Unfetched(f"{name!r} is no name of a model") from None
    except LocalEntryNotFoundError as error:
        raise Unfetched(_why(error) if fetch else "not there") from error
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else "an error"
        raise Unfetched(f"it answered {status} for {name}") from error
    except (OSError, httpx.HTTPError, ValueError) as error:
        raise Unfetched(_why(error)) from error
    return Path(str(found))


def _why(error: Exception) -> str:
    """The cause in a few words, never the address."""
    cause = error.__cause__ or error
    return f"it can't be reached ({type(cause).__name__})"


@contextmanager
def _quiet() -> Iterator[None]:
    """The client draws bars and logs to stderr; the core writes nothing."""
    from huggingface_hub.utils.tqdm import (
        are_progress_bars_disabled,
        disable_progress_bars,
        enable_progress_bars,
    )

    logger = logging.getLogger("huggingface_hub")
    level, drawn = logger.level, not are_progress_bars_disabled()
    logger.setLevel(logging.CRITICAL)
    if drawn:
        disable_progress_bars()
    try:
        yield
    finally:
        logger.setLevel(level)
        if drawn:
            enable_progress_bars()
